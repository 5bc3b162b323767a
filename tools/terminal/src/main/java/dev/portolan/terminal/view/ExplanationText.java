package dev.portolan.terminal.view;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.LeftOut;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.node.ServiceAddress;
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
import java.util.OptionalInt;
import java.util.Set;

/**
 * Explanations as text: what happens to each connection in a line, and once for connections that
 * meet the same end, why, and which endpoints are left out.
 */
public final class ExplanationText {
  /** How many endpoints a person reads; programs get all. */
  private static final int MOST = 50;

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

  /** The lines of all explanations; of many nodes, only what happens. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    List<Explanation> all = explained.explanations();
    if (explained.allNodes() || all.size() > 1) {
      String target = terminal.paint(Paint.BOLD, Text.printable(explained.target()));
      lines.add(target + (explained.allNodes() ? inMode(", ") : " on " + place(all.getFirst())));
      lines.add("");
      lines.addAll(summary());
    }
    if (!explained.allNodes()) {
      for (List<Explanation> group : explained.groups()) {
        if (!lines.isEmpty()) {
          lines.add("");
        }
        details(group, lines);
      }
    }
    return lines;
  }

  private String place(Explanation explanation) {
    return "node " + Text.printable(explanation.node()) + inMode(", ");
  }

  private String inMode(String before) {
    return explained.mode().isEmpty() ? "" : before + "mode " + explained.mode();
  }

  private List<String> summary() {
    List<Column> columns = new ArrayList<>();
    if (explained.allNodes()) {
      columns.add(new Column("NODE", Fit.CUT_MIDDLE, 12));
    }
    columns.add(new Column("ADDRESS", Fit.CUT_MIDDLE, 24));
    if (!explained.allNodes()) {
      columns.add(new Column("KIND", Fit.NEVER_CUT, 0));
    }
    columns.add(new Column("FROM", Fit.CUT_MIDDLE, 8));
    columns.add(new Column("VERDICT", Fit.NEVER_CUT, 0));
    columns.add(new Column("ENDPOINTS", Fit.NEVER_CUT, 0));
    TextTable table = new TextTable(columns.toArray(Column[]::new));
    for (Explanation explanation : explained.explanations()) {
      List<Cell> cells = new ArrayList<>();
      if (explained.allNodes()) {
        cells.add(Cell.of(explanation.node()));
      }
      int chosen = explanation.endpoints().size();
      int known = chosen + explanation.leftOut().size();
      cells.add(Cell.of(explanation.subject()));
      if (!explained.allNodes()) {
        cells.add(Cell.of(kind(explanation)));
      }
      cells.add(Cell.of(explanation.from()));
      cells.add(new Cell(explanation.verdict().toString(), Paint.of(explanation.verdict())));
      cells.add(Cell.of(explanation.service().isPresent() ? chosen + " of " + known : "-"));
      table.row(cells.toArray(Cell[]::new));
    }
    List<String> lines = new ArrayList<>();
    for (String line : table.withTitles(narrower(terminal.tableWidth()), terminal)) {
      lines.add(INDENT + line);
    }
    return lines;
  }

  private static OptionalInt narrower(OptionalInt width) {
    return width.isEmpty() ? width : OptionalInt.of(width.getAsInt() - INDENT.length());
  }

  private static String kind(Explanation explanation) {
    return explanation
        .destination()
        .flatMap(Destination::kind)
        .map(ServiceAddress.Kind::toString)
        .orElse("-");
  }

  /** One walk for explanations that differ in nothing but the address. */
  private void details(List<Explanation> group, List<String> lines) {
    Explanation first = group.getFirst();
    group.forEach(explanation -> lines.addAll(header(explanation)));
    if (explained.explanations().size() == 1) {
      lines.add(INDENT + terminal.paint(Paint.FAINT, "on " + place(first)));
    }
    lines.add("");
    if (!first.endpoints().isEmpty()) {
      lines.addAll(endpoints(first));
      lines.add("");
    }
    lines.add(terminal.paint(Paint.BOLD, "why"));
    List<Step> steps = new ArrayList<>();
    group.forEach(explanation -> explanation.steps().stream().limit(1).forEach(steps::add));
    first.steps().stream().skip(1).forEach(steps::add);
    int number = 0;
    for (Step step : steps) {
      number++;
      String label = INDENT + number + ". ";
      String rest = " ".repeat(label.length());
      for (String part : Text.wrap(Text.printable(step.text()), terminal.width() - rest.length())) {
        lines.add(label + part);
        label = rest;
      }
      addSource(lines, step);
    }
    if (!first.leftOut().isEmpty()) {
      lines.add("");
      lines.add(terminal.paint(Paint.BOLD, "left out"));
      leftOut(lines, first.leftOut());
    }
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
    for (Share share : explanation.endpoints().stream().limit(MOST).toList()) {
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
    addRest(lines, explanation.endpoints().size());
    lines.add(
        INDENT
            + (explanation.masquerade()
                ? "masqueraded"
                : mixed ? "masqueraded only where noted" : "not masqueraded"));
    return lines;
  }

  private void leftOut(List<String> lines, List<LeftOut> leftOut) {
    int widest =
        leftOut.stream().mapToInt(out -> Text.printable(out.label()).length()).max().orElse(0);
    int rest = INDENT.length() + widest + 2;
    for (LeftOut out : leftOut.stream().limit(MOST).toList()) {
      String address = Text.printable(out.label());
      String start = INDENT + address + " ".repeat(widest - address.length() + 2);
      for (String part : Text.wrap(out.reason().sentence(), terminal.width() - rest)) {
        lines.add(start + part);
        start = " ".repeat(rest);
      }
      addSource(lines, out.source());
    }
    addRest(lines, leftOut.size());
  }

  private static void addRest(List<String> lines, int all) {
    if (all > MOST) {
      lines.add(INDENT + "and " + (all - MOST) + " more; -o json has all of them");
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
