package dev.portolan.timemachine.diff;

import dev.portolan.compare.decisions.NodeSet;
import dev.portolan.core.node.Traffic;
import dev.portolan.terminal.Text;
import java.util.List;
import java.util.Locale;

/** Nodes in a few words, however many they are; and kinds of traffic. */
public final class NodesPhrase {
  private static final int MOST_NAMED = 3;

  private NodesPhrase() {}

  /** {@code all 3 nodes}, {@code worker-1 and worker-2}, {@code 412 of 500 nodes}. */
  public static String of(NodeSet nodes) {
    if (nodes.isAll()) {
      return nodes.size() == 1 ? only(nodes) : "all " + number(nodes.size()) + " nodes";
    }
    List<String> names = nodes.size() > MOST_NAMED ? List.of() : nodes.names();
    if (names.isEmpty()) {
      return number(nodes.size()) + " of " + number(nodes.outOf()) + " nodes";
    }
    String last = names.getLast();
    String first = String.join(", ", names.subList(0, names.size() - 1));
    return Text.printable(first.isEmpty() ? last : first + " and " + last);
  }

  private static String only(NodeSet nodes) {
    String name = nodes.names().getFirst();
    return name.isEmpty() ? "any node" : Text.printable(name);
  }

  /** The same behind {@code on}; nothing where only one node was looked at. */
  static String on(NodeSet nodes) {
    return nodes.outOf() == 1 ? "" : " on " + of(nodes);
  }

  /** With a comma between thousands. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A kind of traffic for people. */
  public static String word(Traffic traffic) {
    return switch (traffic) {
      case INTERNAL -> "internal";
      case EXTERNAL -> "external";
      case SHORT_CIRCUIT -> "short-circuit";
    };
  }
}
