package dev.portolan.backend.ipvs;

import dev.portolan.backend.ipvs.ServerKey.EndpointKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The real servers that get no new connections any more, and wait for the end of those they have.
 *
 * <p>The kernel holds all that has to be known of them: a real server that no service wants is
 * draining, until its {@link DrainDeadline} if it has one.
 */
final class Drains {
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
}
