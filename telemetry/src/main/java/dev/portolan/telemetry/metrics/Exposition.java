package dev.portolan.telemetry.metrics;

import java.math.BigDecimal;

/** Writes the text format 0.0.4 of Prometheus. */
public final class Exposition {
  /** The format's media type. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Whole numbers below it are exact in a double, and are written without an exponent. */
  private static final double EXACT = 1L << 53;

  private final StringBuilder out = new StringBuilder(16_384);

  Exposition() {}

  /** Starts a family. */
  void family(String name, MetricType type, String help) {
    out.append("# HELP ").append(name).append(' ');
    escape(out, help, false);
    out.append("\n# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  /** One line; {@code labels} are rendered, and may be empty. */
  void sample(String name, String labels, double value) {
    out.append(name);
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
    out.append("le=\"").append(bound).append("\"}");
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

  @Override
  public String toString() {
    return out.toString();
  }
}
