package dev.portolan.demo;

import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What the audience reads, line by line as it happens; it remembers whether every check held. */
final class Page {
  private static final String INDENT = "   ";

  private final Terminal terminal;
  private int headings;
  private int held;
  private int failed;

  Page(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Starts an act. */
  void heading(String text) {
    headings++;
    line("");
    line(terminal.paint(Paint.BOLD, headings + "  " + text));
    line("");
  }

  /** A paragraph, in lines that fit. */
  void text(String text) {
    Text.wrap(text, terminal.width() - INDENT.length()).forEach(this::plain);
  }

  /** Lines as they are, cut where they are too long. */
  void lines(List<String> lines) {
    int width = terminal.width() - INDENT.length();
    lines.forEach(line -> plain(Text.cutEnd(line, width, terminal.gap())));
  }

  /** A check: what should be, and whether it is. */
  void check(boolean holds, String text) {
    if (holds) {
      held++;
    } else {
      failed++;
    }
    String mark = terminal.paint(holds ? Paint.GREEN : Paint.RED, holds ? "✓" : "✗");
    String start = mark + " ";
    for (String part : Text.wrap(text, terminal.width() - INDENT.length() - 2)) {
      plain(start + part);
      start = "  ";
    }
  }

  /** An empty line. */
  void gap() {
    line("");
  }

  /** A line from the left edge. */
  void line(String line) {
    terminal.print(line);
    terminal.out().flush();
  }

  private void plain(String line) {
    line(line.isEmpty() ? "" : INDENT + line);
  }

  /** Says whether every check held, and then {@code more}; returns the exit status. */
  int verdict(String more) {
    int all = held + failed;
    line(
        failed == 0
            ? "All " + all + " checks held" + more + "."
            : failed + " of " + all + " checks failed; look for ✗ above.");
    return failed == 0 ? 0 : 1;
  }

  /** A time for a person. */
  static String time(Duration time) {
    double millis = time.toNanos() / 1e6;
    return millis < 1000
        ? String.format(Locale.ROOT, millis < 10 ? "%.2f ms" : "%.0f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1000);
  }
}
