package dev.portolan.backend.ipvs;

import dev.portolan.backend.ipvs.ServerKey.EndpointKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The real servers that get no new connections any more, and wait for the end of those they have.
 *
 * <p>The kernel alone holds all that has to be known of them, so that a restart forgets nothing: a
 * real server that no service wants is draining, its weight is 0, and its upper threshold, which
 * means nothing at that weight, is the second since 1970 at which it ends in any case. It is 0 for
 * as long as the endpoint still serves, as one does that is shutting down in good order.
 */
final class Drains {
  /** The deadline while the endpoint still serves. */
  static final int NONE = 0;

  private final Map<ServerKey, Map<EndpointKey, Integer>> deadlines = new HashMap<>();

  /** The real servers of {@code key} that are draining, with their deadlines. */
  Map<EndpointKey, Integer> of(ServerKey key) {
    return deadlines.getOrDefault(key, Map.of());
  }

  /** The virtual servers behind which something is draining. */
  List<ServerKey> keys() {
    return deadlines.keySet().stream().sorted().toList();
  }

  void put(ServerKey key, EndpointKey endpoint, int deadline) {
    deadlines.computeIfAbsent(key, _ -> new HashMap<>()).put(endpoint, deadline);
  }

  void remove(ServerKey key, EndpointKey endpoint) {
    Map<EndpointKey, Integer> left = deadlines.get(key);
    if (left != null) {
      left.remove(endpoint);
      if (left.isEmpty()) {
        deadlines.remove(key);
      }
    }
  }

  void remove(ServerKey key) {
    deadlines.remove(key);
  }

  void clear() {
    deadlines.clear();
  }

  /** Whether a deadline has passed at {@code now}; both are unsigned, and good until 2106. */
  static boolean isOver(int deadline, int now) {
    return deadline != NONE && Integer.compareUnsigned(deadline, now) <= 0;
  }
}
