package dev.portolan.timemachine.diff;

import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.List;

/** Lines below a heading, each behind a label; a label that repeats is written once. */
final class LabelledLines {
  private static final int LABEL = 15;

  private final Terminal terminal;
  private final String indent;
  private final List<String> lines = new ArrayList<>();
  private String last = "";

  LabelledLines(Terminal terminal, String indent) {
    this.terminal = terminal;
    this.indent = indent;
  }

  /** Adds a text, which goes on below where it is too long. */
  void add(String label, Paint paint, String text) {
    int width = terminal.width() - indent.length() - LABEL;
    boolean first = !label.equals(last);
    for (String part : Text.wrap(Text.printable(text), width)) {
      String start = first ? label : "";
      lines.add(
          indent
              + terminal.paint(Paint.FAINT, start)
              + " ".repeat(Math.max(1, LABEL - start.length()))
              + terminal.paint(paint, part));
      first = false;
    }
    last = label;
  }

  /** What was added. */
  List<String> lines() {
    return lines;
  }
}
