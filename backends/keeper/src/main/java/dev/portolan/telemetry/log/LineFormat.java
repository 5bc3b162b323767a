package dev.portolan.telemetry.log;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** Turns a line into text, with the character that ends it. */
enum LineFormat {
  /** As klog's structured calls print it. */
  TEXT {
    @Override
    void write(Line line, ZonedDateTime now, long process, StringBuilder to) {
      to.append(line.severity().letter());
      padded(to, now.getMonthValue(), 2, '0');
      padded(to, now.getDayOfMonth(), 2, '0');
      padded(to.append(' '), now.getHour(), 2, '0');
      padded(to.append(':'), now.getMinute(), 2, '0');
      padded(to.append(':'), now.getSecond(), 2, '0');
      padded(to.append('.'), now.getNano() / 1000, 6, '0');
      padded(to.append(' '), process, 7, ' ');
      // Readers of such lines expect a file and a number; klog itself writes 1 for an unknown one.
      to.append(' ').append(line.component()).append(":1] ");
      LogValues.quote(to, line.message());
      if (line.cause() != null) {
        pair(to, "err", line.cause());
      }
      line.forEachPair((name, value) -> pair(to, name, value));
      to.append('\n');
    }

    private void pair(StringBuilder to, String name, @Nullable Object value) {
      to.append(' ').append(name).append('=');
      LogValues.write(to, value);
    }
  },

  /** As the components of Kubernetes print it with {@code --logging-format=json}. */
  JSON {
    @Override
    void write(Line line, ZonedDateTime now, long process, StringBuilder to) {
      long micros = now.getNano() / 1000;
      to.append("{\"ts\":").append(now.toEpochSecond() * 1000 + micros / 1000);
      padded(to.append('.'), micros % 1000, 3, '0');
      pair(to, "caller", line.component() + ":1");
      pair(to, "msg", line.message());
      if (line.severity() != Severity.ERROR) {
        pair(to, "v", line.level());
      }
      line.forEachPair((name, value) -> pair(to, name, value));
      if (line.cause() != null) {
        pair(to, "err", line.cause());
      }
      to.append("}\n");
    }

    private void pair(StringBuilder to, String name, @Nullable Object value) {
      LogValues.quote(to.append(','), name);
      LogValues.write(to.append(':'), value);
    }
  };

  /** Adds {@code line}, said at {@code now} by the process of that number. */
  abstract void write(Line line, ZonedDateTime now, long process, StringBuilder to);

  private static void padded(StringBuilder to, long number, int width, char padding) {
    String digits = Long.toString(number);
    for (int i = digits.length(); i < width; i++) {
      to.append(padding);
    }
    to.append(digits);
  }
}
