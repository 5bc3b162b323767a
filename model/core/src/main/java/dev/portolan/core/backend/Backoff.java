package dev.portolan.core.backend;

import java.time.Duration;

/** Exponential backoff: each pause is twice as long as the one before, up to a limit. */
public final class Backoff {
  private final Duration first;
  private final Duration longest;
  private Duration next;

  /** Pauses from {@code first} to {@code longest}. */
  public Backoff(Duration first, Duration longest) {
    this.first = shorter(first, longest);
    this.longest = longest;
    this.next = this.first;
  }

  /** The pause after one more failure. */
  public Duration next() {
    Duration pause = next;
    next = shorter(next.multipliedBy(2), longest);
    return pause;
  }

  /** Starts over after a success. */
  public void reset() {
    next = first;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
