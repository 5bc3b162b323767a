package dev.portolan.timemachine.replay;

import dev.portolan.core.text.Counted;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.view.DeltaText;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The history of a service for a person. */
final class HistoryText {
  private static final int MOST_GROUPS = 4;
  private static final int MOST_NAMES = 5;

  private final boolean allNodes;
  private final Terminal terminal;
  private final TimeColumn column;

  /**
   * Prints to {@code terminal}, with the times of {@code zone}.
   *
   * @param allNodes whether to print on which nodes something differs
   */
  public HistoryText(boolean allNodes, Terminal terminal, ZoneId zone) {
    this.allNodes = allNodes;
    this.terminal = terminal;
    this.column = new TimeColumn(terminal, zone);
  }

  /** Prints one change. */
  public void print(HistoryEntry entry) {
    List<String> lines = new ArrayList<>();
    String note =
        entry.first()
            ? ", when the recording began"
            : entry.restarted() ? ", seen when a process started" : "";
    lines.add(terminal.paint(Paint.BOLD, "revision " + entry.revision() + note));
    List<Map.Entry<List<String>, List<String>>> groups = alike(entry);
    int shown = groups.size() > MOST_GROUPS + 1 ? MOST_GROUPS : groups.size();
    for (Map.Entry<List<String>, List<String>> group : groups.subList(0, shown)) {
      lines.addAll(group.getKey());
      if (allNodes) {
        lines.addAll(where(group.getValue(), entry.nodes()));
      }
    }
    int rest =
        groups.subList(shown, groups.size()).stream().mapToInt(it -> it.getValue().size()).sum();
    if (rest > 0) {
      lines.add(
          "  and otherwise on "
              + Counted.of(rest, "more node")
              + "; look at one with --node, or -o json");
    }
    lines.addAll(column.because(entry.causes()));
    column.print(entry.time(), lines);
  }

  /** Nodes for which the same lines are printed, most nodes first. */
  private List<Map.Entry<List<String>, List<String>>> alike(HistoryEntry entry) {
    Map<List<String>, List<String>> byLines = new LinkedHashMap<>();
    for (HistoryEntry.Group group : entry.groups()) {
      byLines
          .computeIfAbsent(
              DeltaText.lines(group.change(), column.width(), terminal), _ -> new ArrayList<>())
          .addAll(group.nodes());
    }
    return byLines.entrySet().stream()
        .sorted(
            Comparator.comparingInt(
                (Map.Entry<List<String>, List<String>> it) -> -it.getValue().size()))
        .toList();
  }

  private List<String> where(List<String> nodes, int of) {
    if (nodes.equals(List.of(""))) {
      return List.of();
    }
    String names = "";
    if (nodes.size() < of) {
      int more = nodes.size() - MOST_NAMES;
      names =
          ": "
              + String.join(", ", nodes.stream().sorted().limit(MOST_NAMES).toList())
              + (more > 0 ? " and " + more + " more" : "");
    }
    return Text.wrap(
            Text.printable("on " + nodes.size() + " of " + Counted.of(of, "node") + names),
            column.width() - 4)
        .stream()
        .map(line -> "    " + line)
        .toList();
  }
}
