package dev.portolan.conformance;

import dev.portolan.conformance.clusters.FactLines;
import dev.portolan.conformance.clusters.StateLines;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares what a candidate has programmed with what was decided. */
public final class StateComparison {
  private static final String FACTS = "node ";

  private StateComparison() {}

  /** The line with what is known about a node. */
  public static String facts(NodeFacts facts) {
    return FACTS + String.join(" ", FactLines.of(facts));
  }

  /** All lines of {@code image}, those of its services and that of its node. */
  public static List<String> lines(NodeImage image) {
    List<String> lines = new ArrayList<>(StateLines.of(image));
    lines.add(facts(image.facts()));
    return lines;
  }

  /** How {@code actual} differs from {@code image}, as half a sentence; empty where it does not. */
  static Optional<String> difference(NodeImage image, List<String> actual) {
    List<String> expected = new ArrayList<>(StateLines.of(image));
    if (actual.stream().anyMatch(line -> line.startsWith(FACTS))) {
      expected.add(facts(image.facts()));
    }
    List<String> missing = without(expected, actual);
    List<String> surplus = without(actual, expected);
    if (missing.isEmpty() && surplus.isEmpty()) {
      return actual.size() == expected.size()
          ? Optional.empty()
          : Optional.of("a line is a duplicate");
    }
    return Optional.of(
        Stream.of(some(missing, "missing"), some(surplus, "too many"))
            .filter(words -> !words.isEmpty())
            .collect(Collectors.joining("; ")));
  }

  private static String some(List<String> lines, String what) {
    return switch (lines.size()) {
      case 0 -> "";
      case 1 -> "this line is " + what + ": " + lines.getFirst();
      default -> lines.size() + " lines are " + what + ", first: " + lines.getFirst();
    };
  }

  private static List<String> without(List<String> lines, List<String> others) {
    TreeSet<String> left = new TreeSet<>(lines);
    others.forEach(left::remove);
    return List.copyOf(left);
  }
}
