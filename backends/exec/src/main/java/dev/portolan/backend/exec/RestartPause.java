package dev.portolan.backend.exec;

import dev.portolan.core.backend.Backoff;
import java.time.Duration;

/**
 * How long to wait before a failed program is started again, counted from its failure: time that a
 * caller has waited for reasons of its own counts, so that two backoffs never add up.
 */
final class RestartPause {
  /** A program that ran for this long is not to blame for what was before. */
  private static final Duration STEADY = Duration.ofSeconds(10);

  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));
  private Duration pause = Duration.ZERO;
  private long since;

  /**
   * The program failed at {@code now}, in nanoseconds of any clock, after having run for {@code
   * ran}.
   */
  synchronized void failed(Duration ran, long now) {
    if (ran.compareTo(STEADY) >= 0) {
      backoff.reset();
    }
    pause = backoff.next();
    since = now;
  }

  /** How long it is still to be left alone. */
  synchronized Duration remaining(long now) {
    Duration rest = pause.minusNanos(now - since);
    return rest.isNegative() ? Duration.ZERO : rest;
  }
}
