package dev.portolan.core.node;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The table of consistent hashing: which endpoint has which slot. A backend hashes what it knows of
 * a client, modulo the size of the table, and sends the connection to the endpoint of that slot.
 *
 * <p>It is filled as Maglev, Google's load balancer, does: each endpoint has an order of preference
 * over all slots, and the endpoints take turns at claiming the next free slot of theirs. So each
 * has nearly as many slots as its weight says, and where an endpoint comes or goes, few slots that
 * it does not concern change hands. Here the preferences are drawn from a generator of random
 * numbers for each endpoint, in place of Maglev's steps of equal length: two endpoints whose steps
 * are alike would push each other aside all over a small table. The preferences follow from the
 * endpoints' addresses and ports alone, so all nodes with the same endpoints have the same table,
 * whatever happened before.
 */
public final class MaglevTable {
  private static final int[] SIZES = {251, 1_021, 4_093, 16_381};

  private static final int SLOTS_PER_ENDPOINT = 25;
  private static final int SLOTS_PER_TURN = 4;

  private static final long SEED = 0x706f72746f6c616eL;
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private MaglevTable() {}

  /**
   * The endpoint of each slot; empty without endpoints. The size is the smallest of 251, 1,021,
   * 4,093 and 16,381 that has 25 slots for each endpoint, and four for each of its turns ({@link
   * Balancing#turns}); the largest where none has.
   *
   * @param endpoints in the order of their addresses
   */
  public static List<Endpoint> of(List<Endpoint> endpoints, Balancing balancing) {
    if (endpoints.isEmpty()) {
      return List.of();
    }
    int[] turns = balancing.counts(endpoints);
    int size = size(endpoints.size(), Arrays.stream(turns).sum());
    if (endpoints.size() == 1) {
      return Collections.nCopies(size, endpoints.getFirst());
    }
    int most = Arrays.stream(turns).max().orElseThrow();
    long[] preferences = endpoints.stream().mapToLong(MaglevTable::hash).toArray();
    Endpoint[] slots = new Endpoint[size];
    int[] credit = new int[turns.length];
    int free = size;
    while (free > 0) {
      for (int i = 0; i < turns.length && free > 0; i++) {
        credit[i] += turns[i];
        if (credit[i] >= most) {
          credit[i] -= most;
          int slot;
          do {
            slot = (int) Long.remainderUnsigned(mix(preferences[i]), size);
            preferences[i] += STEP;
          } while (slots[slot] != null);
          slots[slot] = endpoints.get(i);
          free--;
        }
      }
    }
    return List.of(slots);
  }

  /** The sizes that tables can have, the smallest first. */
  public static List<Integer> sizes() {
    return Arrays.stream(SIZES).boxed().toList();
  }

  private static int size(int endpoints, int turns) {
    for (int size : SIZES) {
      if (size >= (long) SLOTS_PER_ENDPOINT * endpoints && size >= (long) SLOTS_PER_TURN * turns) {
        return size;
      }
    }
    return SIZES[SIZES.length - 1];
  }

  /** A hash of address and port that is the same everywhere, and must stay so. */
  private static long hash(Endpoint endpoint) {
    long hash = mix(SEED ^ endpoint.address().high());
    hash = mix(hash ^ endpoint.address().low());
    return mix(hash ^ endpoint.port());
  }

  /** One step of the generator SplitMix64. */
  private static long mix(long value) {
    long mixed = value + STEP;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
