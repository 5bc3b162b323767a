package dev.portolan.telemetry.metrics;

import java.util.Locale;

/** The formats in which metrics are written. */
public enum ExpositionFormat {
  /** The text format of Prometheus, which everything reads. */
  TEXT("text/plain; version=0.0.4; charset=utf-8"),
  /** OpenMetrics 1.0, for clients that prefer it. */
  OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

  private final String contentType;

  ExpositionFormat(String contentType) {
    this.contentType = contentType;
  }

  /** The format's media type. */
  public String contentType() {
    return contentType;
  }

  /**
   * The format for a client with this header {@code Accept}: OpenMetrics where it is wanted, and
   * plain text is not wanted more.
   */
  public static ExpositionFormat accepted(String header) {
    double open = 0;
    double text = 0;
    for (String range : header.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = range.split(";", -1);
      String type = parts[0].strip();
      if (type.equals("application/openmetrics-text") && isKnown(parts)) {
        open = Math.max(open, weight(parts));
      } else if (type.equals("text/plain")) {
        text = Math.max(text, weight(parts));
      }
    }
    return open > 0 && open >= text ? OPEN_METRICS : TEXT;
  }

  /** Whether the version is one that is the same for us, or is not said. */
  private static boolean isKnown(String[] parts) {
    String version = parameter(parts, "version", "1.0.0");
    return version.equals("1.0.0") || version.equals("0.0.1");
  }

  private static double weight(String[] parts) {
    try {
      return Double.parseDouble(parameter(parts, "q", "1"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String parameter(String[] parts, String name, String fallback) {
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].strip();
      if (part.startsWith(name + "=")) {
        return part.substring(name.length() + 1).strip();
      }
    }
    return fallback;
  }
}
