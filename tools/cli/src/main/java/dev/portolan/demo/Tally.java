package dev.portolan.demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which pod answered how often. */
final class Tally {
  private static final int WIDEST_BAR = 40;

  private final Map<String, Integer> counts = new TreeMap<>();
  private int unanswered;

  private Tally() {}

  /** Counts connections. */
  static Tally of(Collection<TriedConnection> connections) {
    Tally tally = new Tally();
    for (TriedConnection connection : connections) {
      connection
          .pod()
          .ifPresentOrElse(
              pod -> tally.counts.merge(pod, 1, Integer::sum), () -> tally.unanswered++);
    }
    return tally;
  }

  /** Counts the pods in {@code names} too where they did not answer. */
  Tally with(Collection<String> names) {
    names.forEach(name -> counts.putIfAbsent(name, 0));
    return this;
  }

  /** The pods that answered. */
  Set<String> pods() {
    Set<String> pods = new TreeSet<>(counts.keySet());
    pods.removeIf(pod -> count(pod) == 0);
    return pods;
  }

  /** How often a pod answered. */
  int count(String pod) {
    return counts.getOrDefault(pod, 0);
  }

  /** The number of connections without an answer. */
  int unanswered() {
    return unanswered;
  }

  /** A bar for each pod. */
  List<String> bars() {
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(1);
    List<String> lines = new ArrayList<>();
    counts.forEach((pod, count) -> {
      int width =
          Math.max(count > 0 ? 1 : 0, count * Math.min(WIDEST_BAR, most) / Math.max(1, most));
      lines.add(pod + "  " + (count == 0 ? "" : "█".repeat(width) + " ") + count);
    });
    return lines;
  }
}
