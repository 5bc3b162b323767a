package dev.portolan.source.kube;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** How long to wait after a failure: longer each time, and by chance not as long as others do. */
final class Backoff {
  private static final Duration AT_ONCE = Duration.ofMillis(50);
  private static final int MOST_DOUBLINGS = 20;

  private final Timing timing;
  private final LongSupplier nanoTime;
  private final DoubleSupplier random;
  private int failures;
  private long lastFailure;

  Backoff(Timing timing, LongSupplier nanoTime, DoubleSupplier random) {
    this.timing = timing;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** Counts a failure; the first one after all went well is tried again almost at once. */
  Duration next() {
    long now = nanoTime.getAsLong();
    if (now - lastFailure > timing.forgetAfter().toNanos()) {
      failures = 0;
    }
    lastFailure = now;
    Duration delay = failures == 0 ? AT_ONCE : doubled(failures - 1);
    failures++;
    return scaled(delay, failures == 1 ? random.getAsDouble() : 1 + random.getAsDouble());
  }

  private Duration doubled(int times) {
    Duration delay = timing.firstDelay().multipliedBy(1L << Math.min(times, MOST_DOUBLINGS));
    return delay.compareTo(timing.longestDelay()) < 0 ? delay : timing.longestDelay();
  }

  private static Duration scaled(Duration delay, double factor) {
    return Duration.ofNanos((long) (delay.toNanos() * factor));
  }
}
