package dev.portolan.timemachine.replay;

import dev.portolan.source.record.Speed;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Waits between the events of a recording as long as it took then, divided by a speed. */
final class ReplayPace {
  private final Speed speed;
  private final LongSupplier nanoClock;
  private final Sleeper sleeper;
  private @Nullable Instant begin;
  private long start;

  /** Waits; in tests, only on their clock. */
  public interface Sleeper {
    /** Returns after {@code time}. */
    void sleep(Duration time) throws InterruptedException;
  }

  /** Waits with this clock. */
  public ReplayPace(Speed speed, LongSupplier nanoClock, Sleeper sleeper) {
    this.speed = speed;
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
  }

  /** Waits on this machine. */
  public static ReplayPace of(Speed speed) {
    return new ReplayPace(speed, System::nanoTime, Thread::sleep);
  }

  /** Returns when it is time for what happened at {@code time}; the first event is due at once. */
  public void await(Instant time) throws InterruptedException {
    if (speed.equals(Speed.MAX)) {
      return;
    }
    if (begin == null) {
      begin = time;
      start = nanoClock.getAsLong();
      return;
    }
    // Counted from the start, so that what takes time here does not add up.
    Duration due = speed.of(Duration.between(begin, time));
    Duration left = due.minusNanos(nanoClock.getAsLong() - start);
    if (left.isPositive()) {
      sleeper.sleep(left);
    }
  }
}
