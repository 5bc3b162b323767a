package dev.portolan.terminal.view;

import dev.portolan.brain.explain.Explanation;
import dev.portolan.brain.explain.Explanation.LeftOut;
import dev.portolan.brain.explain.Explanation.Share;
import dev.portolan.brain.explain.Explanation.Step;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.Verdict;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An explanation as text: what happens to the connection, why, and which endpoints are left out.
 */
public final class ExplanationText {
  private static final String INDENT = "  ";
  private static final String SOURCE_INDENT = "       ";

  private final Explained explained;
  private final Terminal terminal;
  private final Set<ObjectRef> placed = new HashSet<>();

  /** For {@code terminal}, as wide as it is. */
  public ExplanationText(Explained explained, Terminal terminal) {
    this.explained = explained;
    this.terminal = terminal;
  }

  /** The lines of one explanation. */
  public List<String> lines(Explanation explanation) {
    placed.clear();
    List<String> lines = new ArrayList<>(header(explanation));
    lines.add("");
    if (!explanation.endpoints().isEmpty()) {
      lines.addAll(endpoints(explanation));
      lines.add("");
    }
    lines.add(terminal.paint(Paint.BOLD, "why"));
    int number = 0;
    for (Step step : explanation.steps()) {
      number++;
      String label = INDENT + number + ". ";
      String rest = " ".repeat(label.length());
      for (String part : Text.wrap(Text.printable(step.text()), terminal.width() - rest.length())) {
        lines.add(label + part);
        label = rest;
      }
      addSource(lines, step);
    }
    if (!explanation.leftOut().isEmpty()) {
      lines.add("");
      lines.add(terminal.paint(Paint.BOLD, "left out"));
      leftOut(lines, explanation.leftOut());
    }
    return lines;
  }

  private List<String> header(Explanation explanation) {
    Verdict verdict = explanation.verdict();
    String subject = Text.printable(explanation.subject());
    String from = "from " + explanation.client();
    String end = "→  " + terminal.paint(Paint.of(verdict), verdict.toString());
    int length = subject.length() + from.length() + verdict.toString().length() + 7;
    return length <= terminal.width()
        ? List.of(terminal.paint(Paint.BOLD, subject) + "  " + from + "  " + end)
        : List.of(terminal.paint(Paint.BOLD, subject), INDENT + from + "  " + end);
  }

  private List<String> endpoints(Explanation explanation) {
    boolean mixed =
        !explanation.masquerade() && explanation.endpoints().stream().anyMatch(Share::masquerade);
    TextTable table =
        new TextTable(
            new Column("", Fit.ALIGN_RIGHT, 0),
            new Column("", Fit.NEVER_CUT, 0),
            new Column("", Fit.CUT_MIDDLE, 8),
            new Column("", Fit.CUT_MIDDLE, 8),
            new Column("", Fit.WRAP, 20));
    for (Share share : explanation.endpoints()) {
      String reason = share.reason().sentence();
      table.row(
          new Cell(percent(share.share()), Paint.GREEN),
          Cell.of(share.endpoint().toString()),
          Cell.of(share.endpoint().node()),
          Cell.of(share.target()),
          Cell.of(mixed && share.masquerade() ? reason + ", masqueraded" : reason));
    }
    List<String> lines = new ArrayList<>();
    for (String line : table.indented(INDENT, terminal)) {
      lines.add(line);
    }
    lines.add(
        INDENT
            + (explanation.masquerade()
                ? "masqueraded"
                : mixed ? "masqueraded only where noted" : "not masqueraded"));
    return lines;
  }

  private void leftOut(List<String> lines, List<LeftOut> leftOut) {
    int widest = leftOut.stream().mapToInt(out -> out.address().length()).max().orElse(0);
    int rest = INDENT.length() + widest + 2;
    for (LeftOut out : leftOut) {
      String address = Text.printable(out.address());
      String start = INDENT + address + " ".repeat(widest - address.length() + 2);
      for (String part : Text.wrap(out.reason().sentence(), terminal.width() - rest)) {
        lines.add(start + part);
        start = " ".repeat(rest);
      }
      addSource(lines, out.source());
    }
  }

  /** The object and field that a step rests on; the first time, where the object is written. */
  private void addSource(List<String> lines, Step step) {
    if (step.object().isEmpty()) {
      return;
    }
    ObjectRef ref = step.object().get();
    String object = ref + (step.field().isEmpty() ? "" : ", " + step.field());
    String place =
        placed.add(ref) ? explained.place(ref).map(where -> "(" + where + ")").orElse("") : "";
    if (!place.isEmpty()
        && SOURCE_INDENT.length() + object.length() + 1 + place.length() <= terminal.width()) {
      object += " " + place;
      place = "";
    }
    lines.add(SOURCE_INDENT + terminal.paint(Paint.FAINT, object));
    if (!place.isEmpty()) {
      lines.add(SOURCE_INDENT + terminal.paint(Paint.FAINT, place));
    }
  }

  private static String percent(double share) {
    String number = String.format(Locale.ROOT, "%.1f", 100 * share);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number) + " %";
  }
}
