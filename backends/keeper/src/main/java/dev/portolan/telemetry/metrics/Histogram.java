package dev.portolan.telemetry.metrics;

import java.time.Duration;

/** Observations, counted by size. */
public final class Histogram implements Metric {
  private final Buckets buckets;
  private final long[] counts;
  private double sum;

  Histogram(Buckets buckets) {
    this.buckets = buckets;
    this.counts = new long[buckets.count()];
  }

  /** One more observation. */
  public synchronized void observe(double value) {
    counts[buckets.bucketOf(value)]++;
    sum += value;
  }

  /** One more observation, in seconds. */
  public void observe(Duration duration) {
    observe(duration.toNanos() / 1e9);
  }

  @Override
  public void write(Exposition out, String name, String labels) {
    long[] seen;
    double total;
    synchronized (this) {
      seen = counts.clone();
      total = sum;
    }
    long atMost = 0;
    for (int i = 0; i < seen.length; i++) {
      atMost += seen[i];
      out.bucket(name, labels, buckets.text(i), atMost);
    }
    out.sample(name + "_sum", labels, total);
    out.sample(name + "_count", labels, atMost);
  }
}
