package dev.portolan.backend.nftables;

import dev.portolan.core.node.Endpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which endpoints come and go between two lists, and how often where they have several turns. In a
 * large service most stay, and lists are usually sorted; so both are walked side by side, and only
 * what differs is looked up.
 */
final class EndpointDifference {
  private final Map<Endpoint, Integer> gone = new HashMap<>();
  private final Map<Endpoint, Integer> come = new LinkedHashMap<>();

  private EndpointDifference() {}

  /** What leads from one list to another, in whatever order they are. */
  static EndpointDifference between(List<Endpoint> before, List<Endpoint> after) {
    EndpointDifference difference = new EndpointDifference();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      int order =
          i == before.size() ? 1 : j == after.size() ? -1 : compare(before.get(i), after.get(j));
      if (order == 0) {
        i++;
        j++;
      } else if (order < 0) {
        difference.gone.merge(before.get(i++), 1, Integer::sum);
      } else {
        difference.come.merge(after.get(j++), 1, Integer::sum);
      }
    }
    difference.cancel();
    return difference;
  }

  private static int compare(Endpoint one, Endpoint other) {
    return one.equals(other) ? 0 : one.compareTo(other) < 0 ? -1 : 1;
  }

  /** What only stands elsewhere neither comes nor goes. */
  private void cancel() {
    gone.replaceAll((endpoint, times) -> {
      int both = Math.min(times, come.getOrDefault(endpoint, 0));
      come.computeIfPresent(endpoint, (same, more) -> more - both);
      return times - both;
    });
    gone.values().removeIf(times -> times == 0);
  }

  /** Those that come, each as often as it has more turns. */
  List<Endpoint> come() {
    List<Endpoint> list = new ArrayList<>();
    come.forEach((endpoint, times) -> list.addAll(Collections.nCopies(times, endpoint)));
    return list;
  }

  /** Where those that go stand in {@code slots}, in ascending order; of several turns the last. */
  Deque<Integer> holes(List<Endpoint> slots) {
    Deque<Integer> holes = new ArrayDeque<>();
    Map<Endpoint, Integer> left = new HashMap<>(gone);
    for (int i = slots.size() - 1; i >= 0 && !left.isEmpty(); i--) {
      Integer times = left.get(slots.get(i));
      if (times != null) {
        holes.addFirst(i);
        left.compute(slots.get(i), (same, turns) -> times == 1 ? null : times - 1);
      }
    }
    return holes;
  }
}
