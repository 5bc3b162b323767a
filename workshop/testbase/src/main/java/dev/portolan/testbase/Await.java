package dev.portolan.testbase;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits up to a minute for what must come; says what that was, and what was seen last. A look that
 * fails with an exception is one that came too early; an error ends the wait.
 */
public final class Await {
  /** How long a test waits; the virtual machine is about ten times as slow as any other. */
  public static final Duration PATIENCE =
      Duration.ofMinutes("true".equals(System.getenv("PORTOLAN_VM")) ? 5 : 1);

  private static final long FIRST_PAUSE_MILLIS = 2;
  private static final long LONGEST_PAUSE_MILLIS = 100;

  private Await() {}

  /** Waits until it is so. */
  public static void until(String what, Callable<Boolean> so) {
    Boolean _ = until(what, so, Boolean::booleanValue);
  }

  /** Waits until it is so; {@code story} says what happened if it never is. */
  public static void until(Supplier<String> story, Callable<Boolean> so) {
    Boolean _ = until(PATIENCE, story, so, Boolean::booleanValue);
  }

  /** Looks until that is there which is wanted, and returns it. */
  public static <T> T until(String what, Callable<T> look, Predicate<? super T> wanted) {
    return until(PATIENCE, () -> "for " + what, look, wanted);
  }

  /** Looks until a text has this in it. */
  public static void text(String part, Callable<String> look) {
    String _ = until('"' + part + '"', look, text -> text.contains(part));
  }

  /** The next element of a queue. */
  public static <T> T next(BlockingQueue<T> queue) {
    try {
      T next = queue.poll(PATIENCE.toNanos(), NANOSECONDS);
      if (next == null) {
        throw new AssertionError("timed out waiting for the next element");
      }
      return next;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static <T> T until(
      Duration patience, Supplier<String> what, Callable<T> look, Predicate<? super T> wanted) {
    long end = System.nanoTime() + patience.toNanos();
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      Object seen;
      @Nullable Exception failure = null;
      try {
        T now = look.call();
        if (wanted.test(now)) {
          return now;
        }
        seen = now;
      } catch (InterruptedException e) {
        throw interrupted(e);
      } catch (Exception e) {
        seen = e;
        failure = e;
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(
            "timed out waiting " + what.get() + "; last seen: " + seen, failure);
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private static AssertionError interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new AssertionError("interrupted", e);
  }
}
