package dev.portolan.telemetry.metrics;

/** One series, or the several of a histogram, under one set of labels. */
public sealed interface Metric permits Counter, Gauge, Histogram {
  /** Writes its current value; {@code labels} are rendered already. */
  void write(Exposition out, String name, String labels);
}
