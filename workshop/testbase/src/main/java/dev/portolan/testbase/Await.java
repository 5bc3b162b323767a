package dev.portolan.testbase;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.function.Predicate;

/** Waits up to a minute for what must come; says what that was, and what was seen last. */
public final class Await {
  /** How long a test waits; how long it takes says nothing. */
  public static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final long PAUSE_MILLIS = 5;

  /** What a test looks at, again and again. */
  @FunctionalInterface
  public interface Look<T, E extends Exception> {
    /** What is there now. */
    T take() throws E;
  }

  private Await() {}

  /** Waits until it is so. */
  public static <E extends Exception> void until(String what, Look<Boolean, E> so) throws E {
    Boolean _ = until(what, so, Boolean::booleanValue);
  }

  /** Looks until that is there which is wanted, and returns it. */
  public static <T, E extends Exception> T until(
      String what, Look<T, E> look, Predicate<? super T> wanted) throws E {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      T seen = look.take();
      if (wanted.test(seen)) {
        return seen;
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited in vain for " + what + "; last seen: " + seen);
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        throw interrupted(what, e);
      }
    }
  }

  /** Looks until a text has this in it. */
  public static <E extends Exception> void text(String part, Look<String, E> look) throws E {
    String _ = until('"' + part + '"', look, text -> text.contains(part));
  }

  /** The next element of a queue. */
  public static <T> T next(BlockingQueue<T> queue) {
    try {
      T next = queue.poll(PATIENCE.toNanos(), NANOSECONDS);
      if (next == null) {
        throw new AssertionError("waited in vain for the next element");
      }
      return next;
    } catch (InterruptedException e) {
      throw interrupted("the next element", e);
    }
  }

  private static AssertionError interrupted(String what, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new AssertionError("interrupted while waiting for " + what, e);
  }
}
