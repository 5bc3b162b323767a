package dev.portolan.telemetry.metrics;

/** A number that is set. */
public final class Gauge implements Metric {
  private volatile double value;

  Gauge() {}

  /** The number from now on. */
  public void set(double value) {
    this.value = value;
  }

  /** The number from now on. */
  public void set(long value) {
    set((double) value);
  }

  /** The number now. */
  public double value() {
    return value;
  }

  @Override
  public void write(Exposition out, String name, String labels) {
    out.sample(name, labels, value);
  }
}
