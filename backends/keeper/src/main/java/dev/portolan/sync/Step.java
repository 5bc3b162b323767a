package dev.portolan.sync;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Backoff;
import java.time.Duration;

/**
 * One of the things that a keeper does. Each has its own last success: a step that failed is tried
 * again after a pause that grows, whatever becomes of the others.
 */
abstract class Step {
  private final Elapsed time;
  private final Backoff backoff;
  private long notBefore;
  private boolean failed;

  Step(Elapsed time, Duration firstRetry, Duration longestRetry) {
    this.time = time;
    this.backoff = new Backoff(firstRetry, longestRetry);
  }

  /** When there is something to do, or was: a time of {@link Elapsed}. */
  abstract long wanted();

  /** Does it. Whatever this throws is a failure. */
  abstract void work();

  /** It failed, and is tried again after {@code pause}. */
  abstract void failed(BackendException failure, Duration pause);

  /** It works again after a failure. */
  void recovered() {}

  /** When to work; not before the pause after a failure is over. */
  final long due() {
    long wanted = wanted();
    return wanted == Elapsed.NEVER ? wanted : Math.max(wanted, notBefore);
  }

  final boolean isDue() {
    return time.isPast(due());
  }

  /** Rests until then, though there may be something to do. */
  final void restUntil(long moment) {
    notBefore = moment;
  }

  /** Whether the last try failed. */
  final boolean isFailing() {
    return failed;
  }

  /** Works, now; returns whether that succeeded. */
  final boolean attempt() {
    try {
      now();
      return true;
    } catch (BackendException e) {
      // What fails because this thread is to stop is not worth a word.
      if (!Thread.currentThread().isInterrupted()) {
        Duration pause = backoff.next();
        restUntil(time.now() + pause.toNanos());
        failed(e, pause);
        failed = true;
      }
      return false;
    }
  }

  /**
   * Works, now.
   *
   * @throws BackendException where that fails, for whatever reason
   */
  final void now() {
    try {
      work();
    } catch (Throwable e) {
      throw failure(e);
    }
    backoff.reset();
    if (failed) {
      failed = false;
      recovered();
    }
  }

  /** The failure of this step; blames the backend, unless the exception says otherwise. */
  BackendException failure(Throwable thrown) {
    return BackendException.of(thrown);
  }
}
