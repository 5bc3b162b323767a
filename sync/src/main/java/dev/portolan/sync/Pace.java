package dev.portolan.sync;

import java.time.Duration;

/**
 * How often is synced.
 *
 * @param least the pause from the end of a sync to the start of the next; a change that comes after
 *     a longer rest goes out at once
 * @param longestRetry how long a failed sync waits at most for its next try
 * @param full after this long without one, everything is compared with the kernel again
 */
public record Pace(Duration least, Duration longestRetry, Duration full) {
  /** No pause, as fast as the backend can. */
  public static final Pace DEFAULT =
      new Pace(Duration.ZERO, Duration.ofSeconds(30), Duration.ofHours(1));
}
