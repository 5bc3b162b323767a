package dev.portolan.telemetry.metrics;

import java.math.BigDecimal;

/** Writes metrics as text. */
public final class Exposition {
  /** Whole numbers below it are exact in a double, and are written without an exponent. */
  private static final double EXACT = 1L << 53;

  private static final String TOTAL = "_total";

  private final StringBuilder out = new StringBuilder(16_384);
  private final boolean open;
  private boolean counters;

  Exposition(ExpositionFormat format) {
    open = format == ExpositionFormat.OPEN_METRICS;
  }

  /** Starts a family; in OpenMetrics, the suffix of counters is not in its name. */
  void family(String name, MetricType type, String help) {
    counters = type == MetricType.COUNTER;
    String whole =
        open && counters && name.endsWith(TOTAL)
            ? name.substring(0, name.length() - TOTAL.length())
            : name;
    out.append("# HELP ").append(whole).append(' ');
    escape(out, help, open);
    out.append("\n# TYPE ").append(whole).append(' ').append(type).append('\n');
  }

  /** One line; {@code labels} are rendered, and may be empty. */
  void sample(String name, String labels, double value) {
    out.append(name);
    if (open && counters && !name.endsWith(TOTAL)) {
      out.append(TOTAL);
    }
    if (!labels.isEmpty()) {
      out.append('{').append(labels).append('}');
    }
    number(value);
  }

  /** The same with a whole number. */
  void sample(String name, String labels, long value) {
    sample(name, labels, (double) value);
  }

  /** The line of one bucket. */
  void bucket(String name, String labels, String bound, long atMost) {
    out.append(name).append("_bucket{").append(labels);
    if (!labels.isEmpty()) {
      out.append(',');
    }
    boolean whole = open && bound.indexOf('.') < 0 && !bound.equals("+Inf");
    out.append("le=\"").append(bound).append(whole ? ".0" : "").append("\"}");
    number((double) atMost);
  }

  private void number(double value) {
    out.append(' ');
    if (value == Math.rint(value) && Math.abs(value) < EXACT) {
      out.append((long) value);
    } else if (Double.isInfinite(value)) {
      out.append(value > 0 ? "+Inf" : "-Inf");
    } else {
      out.append(value);
    }
    out.append('\n');
  }

  /** The labels as they stand between braces. */
  static String labels(String[] names, String[] values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < names.length; i++) {
      if (i > 0) {
        text.append(',');
      }
      text.append(names[i]).append("=\"");
      escape(text, values[i], true);
      text.append('"');
    }
    return text.toString();
  }

  private static void escape(StringBuilder out, String text, boolean quoted) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '"' -> out.append(quoted ? "\\\"" : "\"");
        default -> out.append(c);
      }
    }
  }

  /** A number without an exponent and without needless zeros. */
  static String plain(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  /** The whole text, which is complete with it. */
  String finish() {
    return open ? out.append("# EOF\n").toString() : out.toString();
  }
}
