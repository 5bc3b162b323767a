package dev.portolan.core.error;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Where a process reports what should never have been thrown: by a thread of ours, by an observer,
 * by a handler of requests. Every failure is counted. The first of a kind is reported at once, and
 * then at most one a minute, with the number of those between; so a flood of failures neither fills
 * the log nor hides a failure of another kind. A kind is a place and a class of exceptions.
 *
 * <p>There is one per process, as there is one log.
 */
public final class Failures {
  /** What a process does with a failure: it writes a line to its log. */
  public interface Listener {
    /**
     * Called on the thread that failed.
     *
     * @param place the thread, the observer or the handler
     * @param unreported how many of this kind came since the last call, without this one
     */
    void failed(String place, Throwable failure, long unreported);
  }

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final Failures PROCESS = new Failures(System::nanoTime);

  private final LongSupplier clock;
  private final Map<Kind, Reports> kinds = new HashMap<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private volatile Listener listener = Failures::print;

  private record Kind(String place, Class<?> failure) {}

  /** When the last one was reported, and how many have come since. */
  private record Reports(long last, long unreported) {}

  Failures(LongSupplier clock) {
    this.clock = clock;
  }

  /** Those of this process. */
  public static Failures ofProcess() {
    return PROCESS;
  }

  /** Reports failures to {@code other} from now on, and no longer on standard error. */
  public void listen(Listener other) {
    listener = other;
  }

  /**
   * Counts a failure, and reports it unless one of its kind was reported within a minute. A lack of
   * memory is thrown again: it ends the process, as threads that wait for the failed work might
   * wait forever.
   */
  public void add(String place, Throwable failure) {
    if (failure instanceof OutOfMemoryError lack) {
      throw lack;
    }
    long unreported = count(place, failure);
    if (unreported >= 0) {
      try {
        listener.failed(place, failure, unreported);
      } catch (RuntimeException | Error e) {
        print(place, failure, unreported);
      }
    }
  }

  /** Where in the program {@code failure} was thrown; empty if that is not known. */
  public static String origin(Throwable failure) {
    for (StackTraceElement frame : failure.getStackTrace()) {
      if (frame.getClassName().startsWith("dev.portolan.")) {
        return frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber();
      }
    }
    return "";
  }

  /** One sentence for people, with the code. */
  public static String sentence(String place, Throwable failure, long unreported) {
    String origin = origin(failure);
    return ErrorCode.of(failure)
        .mark(
            "unexpected failure of "
                + place
                + ": "
                + failure
                + (origin.isEmpty() ? "" : ", at " + origin)
                + (unreported == 0 ? "" : "; " + unreported + " more since the last report"));
  }

  /** How many there were at each place. */
  public synchronized Map<String, Long> counts() {
    return Map.copyOf(counts);
  }

  /** The time by which kinds are kept apart, in nanoseconds. */
  long now() {
    return clock.getAsLong();
  }

  /** Returns how many were not reported before this one, or -1 if this one isn't either. */
  private synchronized long count(String place, Throwable failure) {
    counts.merge(place, 1L, Long::sum);
    Kind kind = new Kind(place, failure.getClass());
    Reports before = kinds.get(kind);
    long now = now();
    if (before != null && now - before.last() < MINUTE) {
      kinds.put(kind, new Reports(before.last(), before.unreported() + 1));
      return -1;
    }
    kinds.put(kind, new Reports(now, 0));
    return before == null ? 0 : before.unreported();
  }

  @SuppressWarnings("SystemOut") // There is no listener yet, and so no log.
  private static void print(String place, Throwable failure, long unreported) {
    System.err.println(sentence(place, failure, unreported));
  }
}
