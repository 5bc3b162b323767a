package dev.portolan.backend.userspace;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.MaglevTable;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePort;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Which endpoint of a service port gets the next connection: the one that the client had before,
 * where clients stay; the one that the client's address says, where clients are hashed; otherwise
 * the next in turn. All threads.
 */
final class EndpointTurns {
  /** How many clients are remembered; beyond that the one away longest is forgotten. */
  private static final int MOST_CLIENTS = 100_000;

  private final LongSupplier nanoTime;
  private final Map<Pool, Turns> pools = new EnumMap<>(Pool.class);
  private final LinkedHashMap<Ip, Stay> stays = new LinkedHashMap<>(16, 0.75f, true);
  private ServicePort port;

  /** Where a client stays, and when it was last seen. */
  private record Stay(Endpoint endpoint, long seen) {}

  /** The endpoints of a pool, each as often as it has turns or slots, and whose turn it is. */
  private static final class Turns {
    private final List<Endpoint> endpoints;
    private final List<Endpoint> order;
    private int next;

    Turns(List<Endpoint> endpoints, Balancing balancing) {
      this.endpoints = endpoints;
      this.order =
          balancing.kind().hashes()
              ? MaglevTable.of(endpoints, balancing)
              : balancing.turns(endpoints);
    }
  }

  EndpointTurns(ServicePort port) {
    this(port, System::nanoTime);
  }

  EndpointTurns(ServicePort port, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.port = port;
    update(port);
  }

  /** From now on as {@code now} says; whose turn it is stays where a pool is the same. */
  synchronized void update(ServicePort now) {
    for (Pool pool : Pool.values()) {
      Turns known = pools.get(pool);
      if (known == null
          || !known.endpoints.equals(now.endpoints(pool))
          || !port.balancing().equals(now.balancing())) {
        pools.put(pool, new Turns(now.endpoints(pool), now.balancing()));
      }
    }
    if (now.affinitySeconds() == 0) {
      stays.clear();
    }
    port = now;
  }

  /**
   * The endpoint of {@code pool} for a new connection; empty where it has none.
   *
   * @param clientPort decides too where addresses and ports are hashed
   * @param failed those that did not answer this connection: another one is preferred, and the
   *     client stays with that
   */
  synchronized Optional<Endpoint> next(
      Pool pool, Ip client, int clientPort, List<Endpoint> failed) {
    Turns turns = Objects.requireNonNull(pools.get(pool));
    if (turns.order.isEmpty()) {
      return Optional.empty();
    }
    if (port.affinitySeconds() == 0) {
      return Optional.of(another(turns, client, clientPort, failed));
    }
    long now = nanoTime.getAsLong();
    Stay stay = stays.get(client);
    Endpoint chosen =
        stay != null
                && now - stay.seen < Duration.ofSeconds(port.affinitySeconds()).toNanos()
                && turns.endpoints.contains(stay.endpoint)
                && !failed.contains(stay.endpoint)
            ? stay.endpoint
            : another(turns, client, clientPort, failed);
    stays.put(client, new Stay(chosen, now));
    forget(now);
    return Optional.of(chosen);
  }

  /** The next that has not failed; the next of all where each has. */
  private Endpoint another(Turns turns, Ip client, int clientPort, List<Endpoint> failed) {
    boolean hashes = port.balancing().kind().hashes();
    int size = turns.order.size();
    int turn = hashes ? slot(client, clientPort, size) : turns.next;
    for (int i = 0; i < size && failed.contains(turns.order.get(turn)); i++) {
      turn = (turn + 1) % size;
    }
    turns.next = (turn + 1) % size;
    return turns.order.get(turn);
  }

  private int slot(Ip client, int clientPort, int slots) {
    long hash = client.high() * 0x9e3779b97f4a7c15L ^ client.low();
    if (port.balancing().kind() == Balancing.Kind.MAGLEV) {
      hash = hash * 31 + clientPort;
    }
    hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
    return (int) Long.remainderUnsigned(hash ^ (hash >>> 32), slots);
  }

  /** The clients that were away longest are the first. */
  private void forget(long now) {
    long stay = Duration.ofSeconds(port.affinitySeconds()).toNanos();
    Iterator<Stay> oldest = stays.values().iterator();
    while (oldest.hasNext()) {
      if (now - oldest.next().seen < stay && stays.size() <= MOST_CLIENTS) {
        return;
      }
      oldest.remove();
    }
  }
}
