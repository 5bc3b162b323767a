package dev.portolan.telemetry.metrics;

import java.util.concurrent.atomic.AtomicLong;

/** Counts events; it never goes down. */
public final class Counter implements Metric {
  private final AtomicLong value = new AtomicLong();

  Counter() {}

  /** One more. */
  public void increment() {
    value.incrementAndGet();
  }

  /** Adds to the count. */
  public void add(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("a counter does not go down, not by " + count);
    }
    value.addAndGet(count);
  }

  @Override
  public void write(Exposition out, String name, String labels) {
    out.sample(name, labels, value.get());
  }
}
