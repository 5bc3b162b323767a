package dev.portolan.timemachine.diff;

import dev.portolan.compare.decisions.ComparedNodes;
import dev.portolan.compare.decisions.NodePair;
import dev.portolan.compare.lines.UnifiedDiff;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The difference of the rules that a node would get. */
final class RulesDiff {
  private final DiffSides sides;
  private final Remarks remarks;

  RulesDiff(DiffSides sides, Remarks remarks) {
    this.sides = sides;
    this.remarks = remarks;
  }

  /** The lines of a unified diff; none where the rules are the same. */
  List<String> lines(Terminal terminal) {
    NodePair pair = pair();
    List<String> before = new ArrayList<>();
    List<String> after = new ArrayList<>();
    for (IpFamily family : IpFamily.values()) {
      List<String> old = rules(sides.before(), pair.before(), family);
      before.addAll(old);
      after.addAll(AlignedBlocks.of(old, rules(sides.after(), pair.after(), family)));
    }
    List<String> hunks = UnifiedDiff.between(before, after);
    if (hunks.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(terminal.paint(Paint.BOLD, "--- " + title(sides.before(), pair.before())));
    lines.add(terminal.paint(Paint.BOLD, "+++ " + title(sides.after(), pair.after())));
    hunks.forEach(line -> lines.add(terminal.paint(paint(line), printable(line))));
    return lines;
  }

  private NodePair pair() {
    // What is not on both sides cannot be compared, and rules need everything that is decided.
    ComparedNodes compared = sides.compareFully(remarks);
    if (compared.pairs().size() == 1) {
      return compared.pairs().getFirst();
    }
    List<String> names = compared.pairs().stream().map(NodePair::name).limit(10).toList();
    throw CommandFailure.usage(
        "--rules: rules are those of one node; choose it with --node: "
            + Text.printable(String.join(", ", names))
            + (compared.pairs().size() > names.size() ? ", …" : ""));
  }

  private List<String> rules(DiffSide side, NodeImage image, IpFamily family) {
    return side.rules(remarks).text(image, family).lines().toList();
  }

  /** Rules are indented by tabs, which do no harm. */
  private static String printable(String line) {
    return String.join("\t", Arrays.stream(line.split("\t", -1)).map(Text::printable).toList());
  }

  private String title(DiffSide side, NodeImage image) {
    String node = image.facts().name();
    return side.source()
        + (side.config().isEmpty() ? "" : " " + Text.printable(side.config()))
        + (node.isEmpty() ? "" : " " + Text.printable(node))
        + " "
        + side.mode(side.options().plan(remarks)).name();
  }

  private static Paint paint(String line) {
    return switch (line.charAt(0)) {
      case '-' -> Paint.RED;
      case '+' -> Paint.GREEN;
      case '@' -> Paint.FAINT;
      default -> Paint.NONE;
    };
  }
}
