package dev.portolan.apiserver;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A rate limiter: a burst at once, the rest at a steady rate, in the order of the calls. */
final class TokenBucket {
  private static final double NANOS = 1e9;

  /** Waits for a given time. */
  @FunctionalInterface
  interface Sleeper {
    /** Waits for {@code nanos} nanoseconds. */
    void sleep(long nanos) throws InterruptedException;
  }

  private final boolean unlimited;
  private final long interval;
  private final long reserve;
  private final LongSupplier clock;
  private final Sleeper sleeper;

  /** When the next request may go, on the clock; in the past where there are tokens left. */
  private long next;

  TokenBucket(ClientLimits limits) {
    this(limits, System::nanoTime, nanos -> Thread.sleep(Duration.ofNanos(nanos)));
  }

  TokenBucket(ClientLimits limits, LongSupplier clock, Sleeper sleeper) {
    this.unlimited = limits.qps() < 0;
    this.interval = (long) (NANOS / limits.qps());
    this.reserve = interval * (Math.max(1, limits.burst()) - 1);
    this.clock = clock;
    this.sleeper = sleeper;
    this.next = clock.getAsLong() - reserve;
  }

  /** Waits until a request may go. */
  void take() throws InterruptedException {
    if (unlimited) {
      return;
    }
    long wait = place();
    if (wait > 0) {
      sleeper.sleep(wait);
    }
  }

  /** Takes the next place in the queue; how long it is until then. */
  private synchronized long place() {
    long now = clock.getAsLong();
    long earliest = now - reserve;
    long mine = next - earliest < 0 ? earliest : next;
    next = mine + interval;
    return mine - now;
  }
}
