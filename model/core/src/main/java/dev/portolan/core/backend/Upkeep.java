package dev.portolan.core.backend;

import java.time.Duration;

/**
 * When a backend looks after what it applied.
 *
 * @param auditEvery how long after one audit the next one follows, suspicion or not; zero for never
 * @param tidyAfter how long after a sync, if no other one comes, to tidy; zero for never
 */
public record Upkeep(Duration auditEvery, Duration tidyAfter) {
  /** Nothing is left for later, and nothing else can change what was applied. */
  public static final Upkeep NONE = new Upkeep(Duration.ZERO, Duration.ZERO);
}
