package dev.portolan.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * A clock that moves only when a thread waits on it, on the thread of the test: straight to the
 * next thing that the test has planned, or to the end of the wait. When nothing is planned any
 * more, the waiting thread is interrupted.
 */
final class FakeClock implements SyncClock {
  /** Any moment will do, also one whose number overflows soon. */
  private static final long START = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();

  private long passed;
  private final List<Event> events = new ArrayList<>();

  private record Event(long at, Runnable action) {}

  /** Runs {@code action} {@code millis} milliseconds after the start. */
  void at(long millis, Runnable action) {
    events.add(new Event(Duration.ofMillis(millis).toNanos(), action));
    events.sort(Comparator.comparingLong(Event::at));
  }

  /** How many milliseconds have passed. */
  long millis() {
    return Duration.ofNanos(passed).toMillis();
  }

  /** Lets time pass, as work does. */
  void pass(long millis) {
    passed += Duration.ofMillis(millis).toNanos();
  }

  @Override
  public long nanoTime() {
    return START + passed;
  }

  @Override
  public void await(Semaphore wakeup, long nanos) throws InterruptedException {
    long end = nanos > Long.MAX_VALUE - passed ? Long.MAX_VALUE : passed + nanos;
    while (!wakeup.tryAcquire()) {
      if (events.isEmpty()) {
        throw new InterruptedException("the plan is at its end");
      }
      if (events.getFirst().at > end) {
        passed = end;
        return;
      }
      Event event = events.removeFirst();
      passed = Math.max(passed, event.at);
      event.action.run();
    }
  }
}
