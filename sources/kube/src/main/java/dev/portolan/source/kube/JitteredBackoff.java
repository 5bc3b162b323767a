package dev.portolan.source.kube;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Exponential backoff with jitter. The first failure after a long time without one is retried
 * almost at once.
 */
final class JitteredBackoff {
  private static final Duration AT_ONCE = Duration.ofMillis(50);
  private static final int MOST_DOUBLINGS = 20;

  private final Timing timing;
  private final LongSupplier nanoTime;
  private final DoubleSupplier random;
  private int failures;
  private long lastFailure;

  JitteredBackoff(Timing timing, LongSupplier nanoTime, DoubleSupplier random) {
    this.timing = timing;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** Counts a failure; how long to wait before the next attempt. */
  Duration next() {
    long now = nanoTime.getAsLong();
    if (now - lastFailure > timing.forgetAfter().toNanos()) {
      failures = 0;
    }
    lastFailure = now;
    failures++;
    return failures == 1
        ? scaled(AT_ONCE, random.getAsDouble())
        : scaled(doubled(failures - 2), 1 + random.getAsDouble());
  }

  private Duration doubled(int times) {
    Duration delay = timing.firstDelay().multipliedBy(1L << Math.min(times, MOST_DOUBLINGS));
    return delay.compareTo(timing.longestDelay()) < 0 ? delay : timing.longestDelay();
  }

  private static Duration scaled(Duration delay, double factor) {
    return Duration.ofNanos((long) (delay.toNanos() * factor));
  }
}
