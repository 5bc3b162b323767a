package dev.portolan.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next try: ever longer, and never the same for all, so that the
 * clients of a server that comes back do not all come at once.
 */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(100);

  private final Duration longest;
  private Duration next;

  Backoff(Duration longest) {
    this.longest = longest;
    this.next = shorter(FIRST, longest);
  }

  /** The pause after one more failure: from half of the present step to all of it. */
  Duration pause() {
    long most = next.toNanos();
    next = shorter(next.multipliedBy(2), longest);
    return Duration.ofNanos(most - ThreadLocalRandom.current().nextLong(most / 2 + 1));
  }

  /** Starts over after a success. */
  void reset() {
    next = shorter(FIRST, longest);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
