package dev.portolan.backend.exec;

import java.time.Duration;

/**
 * How long a program that failed is left alone, counted from its failure. Time that has passed
 * since then counts, so that two backoffs never add up.
 */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** A program that ran for this long is not to blame for what was before. */
  private static final Duration STEADY = Duration.ofSeconds(10);

  private Duration pause = Duration.ZERO;
  private long since;

  /** It failed at {@code now}, in the nanoseconds of some clock, after it had run so long. */
  synchronized void failed(Duration ran, long now) {
    since = now;
    boolean first = pause.isZero() || ran.compareTo(STEADY) >= 0;
    Duration longer = first ? FIRST : pause.multipliedBy(2);
    pause = longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
  }

  /** How long it is still to be left alone. */
  synchronized Duration remaining(long now) {
    Duration rest = pause.minusNanos(now - since);
    return rest.isNegative() ? Duration.ZERO : rest;
  }
}
