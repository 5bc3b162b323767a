package dev.portolan.cli.chart;

import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a command prints on a terminal of 80 columns without colours. */
final class Printed {
  private static final int COLUMNS = 80;

  private final StringWriter text = new StringWriter();
  private final Terminal terminal =
      Terminal.screen(new PrintWriter(text), new PrintWriter(new StringWriter()), COLUMNS);
  private final List<String> warnings = new ArrayList<>();

  /** Takes the command's warnings. */
  Remarks remarks() {
    return new Remarks(terminal, 0, line -> {}, warnings::add);
  }

  /** Whatever the command said was wrong. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Lets {@code printing} print, and returns all that was printed. */
  String text(Consumer<Terminal> printing) {
    printing.accept(terminal);
    terminal.out().flush();
    return text.toString();
  }
}
