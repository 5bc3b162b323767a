package dev.portolan.timemachine.replay;

import dev.portolan.compare.FieldChange;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.text.Counted;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lines behind the time of day of each event; a new day gets a line of its own. */
final class TimeColumn {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
  private static final String INDENT = " ".repeat("HH:mm:ss.SSS".length() + 2);
  private static final int LEAST_WIDTH = 40;
  private static final int MOST_CAUSES = 8;
  private static final String FIELD = "    ";
  private static final String MORE = "      ";

  private final Terminal terminal;
  private final ZoneId zone;
  private @Nullable LocalDate day;

  TimeColumn(Terminal terminal, ZoneId zone) {
    this.terminal = terminal;
    this.zone = zone;
  }

  /** How many columns are left for lines. */
  int width() {
    return Math.max(LEAST_WIDTH, terminal.width() - INDENT.length());
  }

  /** Prints {@code lines}, which happened at {@code time}. */
  void print(Instant time, List<String> lines) {
    LocalDate date = time.atZone(zone).toLocalDate();
    if (!date.equals(day)) {
      terminal.print(terminal.paint(Paint.BOLD, date + " (time zone " + zone + ")"));
      day = date;
    }
    String start = TIME.format(time.atZone(zone)) + "  ";
    for (String line : lines) {
      terminal.print(start + line);
      start = INDENT;
    }
    terminal.out().flush();
  }

  /** Prints a sentence, in as many lines as it needs. */
  void print(Instant time, Paint paint, String sentence) {
    print(
        time,
        Text.wrap(Text.printable(sentence), width()).stream()
            .map(line -> terminal.paint(paint, line))
            .toList());
  }

  /** The lines that name causes, those of one object together. */
  List<String> because(List<FieldChange> causes) {
    Map<ObjectRef, List<FieldChange>> byObject = new LinkedHashMap<>();
    for (FieldChange cause : causes.subList(0, Math.min(MOST_CAUSES, causes.size()))) {
      byObject.computeIfAbsent(cause.object(), _ -> new ArrayList<>()).add(cause);
    }
    List<String> lines = new ArrayList<>();
    byObject.forEach((object, fields) -> {
      String start = lines.isEmpty() ? "  because " : "  and ";
      String only = fields.size() == 1 ? fields.getFirst().toString() : "";
      if (!only.isEmpty() && start.length() + only.length() <= width()) {
        lines.add(start + only);
        return;
      }
      lines.add(start + object + ":");
      for (FieldChange field : fields) {
        String indent = FIELD;
        for (String line : Text.wrap(field.text(), width() - MORE.length())) {
          lines.add(indent + line);
          indent = MORE;
        }
      }
    });
    int more = causes.size() - MOST_CAUSES;
    if (more > 0) {
      lines.add(FIELD + "and " + Counted.of(more, "more field"));
    }
    return lines;
  }
}
