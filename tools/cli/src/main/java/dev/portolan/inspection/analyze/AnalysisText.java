package dev.portolan.inspection.analyze;

import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.KnownMistake.Severity;
import dev.portolan.core.text.Counted;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Findings and known mistakes for people. */
final class AnalysisText {
  private static final int INDENT = 10;
  private static final int OBJECT_WIDTH = 20;
  private static final int TEXT_WIDTH = 30;

  private final Terminal terminal;

  AnalysisText(Terminal terminal) {
    this.terminal = terminal;
  }

  /** One row for each finding. */
  List<String> table(List<ClusterFinding> findings) {
    TextTable table =
        new TextTable(
            new Column("SEVERITY", Fit.NEVER_CUT, 0),
            new Column("CODE", Fit.NEVER_CUT, 0),
            new Column("OBJECT", Fit.WRAP, OBJECT_WIDTH),
            new Column("FINDING", Fit.WRAP, TEXT_WIDTH));
    for (ClusterFinding finding : findings) {
      table.row(
          new Cell(word(finding.mistake().severity()), paint(finding.mistake().severity())),
          Cell.of(finding.mistake().code()),
          Cell.of(finding.object().toString()),
          Cell.of(what(finding) + ": " + finding.seen()));
    }
    return table.withTitles(terminal.tableWidth(), terminal);
  }

  /** A few lines for each finding, with the place and the remedy. */
  List<String> wide(List<ClusterFinding> findings) {
    List<String> lines = new ArrayList<>();
    for (ClusterFinding finding : findings) {
      Severity severity = finding.mistake().severity();
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.add(
          terminal.paint(paint(severity), word(severity))
              + " "
              + finding.mistake().code()
              + " "
              + Text.printable(finding.object().toString()));
      finding.place().ifPresent(place -> lines.addAll(item("place", place.toString())));
      lines.addAll(item("what", what(finding)));
      lines.addAll(item("seen", finding.seen()));
      lines.addAll(item("remedy", finding.remedy()));
    }
    return lines;
  }

  /** How many there are of each severity. */
  static String summary(List<ClusterFinding> findings) {
    List<String> counts = new ArrayList<>();
    for (Severity severity : Severity.values()) {
      long count =
          findings.stream().filter(finding -> finding.mistake().severity() == severity).count();
      if (count > 0) {
        counts.add(
            severity == Severity.INFO ? count + " info" : Counted.of(count, severity.toString()));
      }
    }
    return Counted.of(findings.size(), "finding") + ": " + String.join(", ", counts);
  }

  /** All known mistakes, one per row. */
  List<String> list(List<KnownMistake> mistakes) {
    TextTable table =
        new TextTable(
            new Column("CODE", Fit.NEVER_CUT, 0),
            new Column("SEVERITY", Fit.NEVER_CUT, 0),
            new Column("NEEDS", Fit.NEVER_CUT, 0),
            new Column("MISTAKE", Fit.WRAP, TEXT_WIDTH));
    mistakes.forEach(mistake ->
        table.row(
            mistake.code(),
            mistake.severity().toString(),
            mistake.need().toString(),
            mistake.title()));
    return table.withTitles(terminal.tableWidth(), terminal);
  }

  /** All that there is to say about a mistake. */
  List<String> explain(KnownMistake mistake) {
    List<String> lines = new ArrayList<>();
    lines.add(
        terminal.paint(Paint.BOLD, mistake.code() + ": " + mistake.title())
            + " ("
            + mistake.severity()
            + ")");
    lines.add("");
    lines.addAll(item("seen", mistake.seen()));
    lines.addAll(item("remedy", mistake.remedy()));
    if (mistake.need() != Need.NOTHING) {
      lines.addAll(item("needs", mistake.need().toString()));
    }
    for (String paragraph : mistake.text().split("\n\n", -1)) {
      lines.add("");
      lines.addAll(Text.wrap(paragraph.strip(), terminal.width()));
    }
    return lines;
  }

  private static String what(ClusterFinding finding) {
    return (finding.field().isEmpty() ? "" : finding.field() + ": ") + finding.text();
  }

  private List<String> item(String title, String text) {
    List<String> lines = new ArrayList<>();
    for (String line : Text.wrap(Text.printable(text), terminal.width() - INDENT)) {
      String start = lines.isEmpty() ? "  " + title : "";
      lines.add(start + " ".repeat(INDENT - start.length()) + line);
    }
    return lines;
  }

  private static String word(Severity severity) {
    String word = severity.toString();
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private static Paint paint(Severity severity) {
    return switch (severity) {
      case ERROR -> Paint.RED;
      case WARNING -> Paint.YELLOW;
      case INFO -> Paint.NONE;
    };
  }
}
