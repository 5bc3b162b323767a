package dev.portolan.sync;

import dev.portolan.core.backend.Upkeep;
import java.time.Duration;

/**
 * How often is synced.
 *
 * @param least the pause from the end of a sync to the start of the next, and shorter after a sync
 *     that was short; a change that comes after a longer rest goes out at once
 * @param longestRetry how long a failed sync waits at most for its next try
 * @param full after this long without one, everything is written again as if nothing were known
 * @param audit how often a backend that can audits at least, suspicion or not; zero for as often as
 *     it likes
 */
public record Pace(Duration least, Duration longestRetry, Duration full, Duration audit) {
  /** No pause, as fast as the backend can. */
  public static final Pace DEFAULT =
      new Pace(Duration.ZERO, Duration.ofSeconds(30), Duration.ofHours(1));

  /** Audits are as frequent as the backend likes. */
  public Pace(Duration least, Duration longestRetry, Duration full) {
    this(least, longestRetry, full, Duration.ZERO);
  }

  /**
   * A backend's own intervals, with audits at least as often as this pace has them. One that never
   * audits still does not, and one that audits more often still does, because it has no other way
   * to notice changes by others.
   */
  Upkeep over(Upkeep wished) {
    return audit.isZero() || audit.compareTo(wished.auditEvery()) >= 0
        ? wished
        : new Upkeep(audit, wished.tidyAfter());
  }
}
