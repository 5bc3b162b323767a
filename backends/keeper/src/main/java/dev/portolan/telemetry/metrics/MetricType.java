package dev.portolan.telemetry.metrics;

import java.util.Locale;

/** What kind of number a metric is. */
public enum MetricType {
  /** It only grows. */
  COUNTER,
  /** It goes up and down. */
  GAUGE,
  /** Observations, counted by size. */
  HISTOGRAM;

  /** The type as the text format names it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
