package dev.portolan.web.state;

import dev.portolan.brain.ClusterDecision;
import dev.portolan.wiring.ChartSubject;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The newest chart of a brain, drawn when it is asked for, and a way to wait for the next.
 *
 * <p>The brain's own thread only wakes up readers. While no page is open, no state is kept.
 */
public final class ChartFeed {
  private static final Duration IDLE = Duration.ofMinutes(2);

  private final ChartSubject subject;
  private final InstantSource clock;
  private final Object change = new Object();
  private @Nullable ChartState state;
  private long used;

  /** Follows what is decided about {@code subject}. */
  public ChartFeed(ChartSubject subject, InstantSource clock) {
    this.subject = subject;
    this.clock = clock;
    subject.brain().onChange(this::wake);
    subject.reading().onChange(this::wake);
  }

  private void wake() {
    synchronized (change) {
      change.notifyAll();
    }
  }

  /** The chart as it is now. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the very one; comparing content costs.
  public synchronized ChartState newest() {
    used = System.nanoTime();
    ClusterDecision decision = subject.brain().decision();
    ChartState known = state == null ? ChartState.empty(decision.settings()) : state;
    if (known.revision() != decision.revision()) {
      known = known.follow(decision, clock.instant());
      state = known;
    }
    return known;
  }

  /**
   * Waits until there is another revision than {@code seen}, or news of the source since {@code
   * told}, but no longer than {@code most}.
   */
  public void await(long seen, Reading told, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    synchronized (change) {
      while (subject.brain().decision().revision() == seen
          && !Reading.of(subject).tellsMoreThan(told)) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return;
        }
        change.wait(left);
      }
    }
  }

  /** Gives memory back where no page was open for a while. */
  public synchronized void rest() {
    if (state != null && System.nanoTime() - used > IDLE.toNanos()) {
      state = null;
    }
  }
}
