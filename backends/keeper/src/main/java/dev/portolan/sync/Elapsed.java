package dev.portolan.sync;

import java.time.Duration;

/** Nanoseconds since a keeper was made. */
final class Elapsed {
  static final long NEVER = Long.MAX_VALUE;

  private final SyncClock clock;
  private final long start;

  Elapsed(SyncClock clock) {
    this.clock = clock;
    this.start = clock.nanoTime();
  }

  long now() {
    return clock.nanoTime() - start;
  }

  boolean isPast(long time) {
    return time != NEVER && now() >= time;
  }

  /** A delay of zero stands for never. */
  static long after(long time, Duration pause) {
    return pause.isZero() ? NEVER : time + pause.toNanos();
  }
}
