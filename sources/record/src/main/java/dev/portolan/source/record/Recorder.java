package dev.portolan.source.record;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import dev.portolan.core.text.Counted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records what a process does, without slowing it: a caller leaves a reference and goes on. One
 * thread compares, compresses and writes. What comes faster than it can be written is left out, and
 * so is what comes while nothing can be written; the recording says so.
 */
public final class Recorder implements AutoCloseable {
  private static final String PLACE = "recorder";

  private static final int MOST_WAITING = 4096;

  /** How long nothing is written while nothing happens. */
  private static final Duration QUIET = Duration.ofMinutes(1);

  /** The pause before a disk that failed is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(30);

  private static final Duration LONGEST_CLOSING = Duration.ofSeconds(5);

  /** Not an event: it wakes the writing thread, which then sees that it should end. */
  private static final RecordedEvent WAKE_UP = new RecordedEvent.Problem(Instant.EPOCH, "");

  private final BlockingQueue<RecordedEvent> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final RecordedEvent.Started started;
  private final Supplier<? extends RecordingTarget> opening;
  private final InstantSource clock;
  private final Duration retry;
  private final Consumer<String> warnings;
  private final Thread thread;
  private volatile boolean closing;

  // What the writing thread alone knows.
  private @Nullable RecordingTarget target;
  private RecordedEvent.@Nullable State newest;
  private @Nullable Outage outage;

  /**
   * Nothing could be written since a moment.
   *
   * @param next when it is tried again, by a monotonic clock
   */
  private record Outage(Instant since, String cause, long lost, long next) {}

  /**
   * Starts to record.
   *
   * @param opening opens what is written to, again after a failure to open
   * @param warnings called once when nothing can be written, and once when it works again
   */
  public Recorder(
      RecordedEvent.Started started,
      Supplier<? extends RecordingTarget> opening,
      InstantSource clock,
      Consumer<String> warnings) {
    this(started, opening, clock, RETRY, warnings);
  }

  Recorder(
      RecordedEvent.Started started,
      Supplier<? extends RecordingTarget> opening,
      InstantSource clock,
      Duration retry,
      Consumer<String> warnings) {
    this.started = started;
    this.opening = opening;
    this.clock = clock;
    this.retry = retry;
    this.warnings = warnings;
    this.thread = Threads.platform(PLACE).lasting().start(this::run);
  }

  /** Records the cluster after a change, at the revision that it led to. */
  public void taken(ClusterImage cluster, long revision, Map<String, String> versions) {
    add(new RecordedEvent.State(clock.instant(), revision, true, cluster, Map.copyOf(versions)));
  }

  /** Records that a backend was called. */
  public void synced(long revision, Duration took, boolean full, Optional<String> error) {
    add(new RecordedEvent.Synced(clock.instant(), revision, took, full, error));
  }

  /** Records that objects in the kernel were not as written. */
  public void repaired(int objects, String cause) {
    add(new RecordedEvent.Repaired(clock.instant(), objects, cause));
  }

  /** Records that something could not be read or done. */
  public void problem(String sentence) {
    add(new RecordedEvent.Problem(clock.instant(), sentence));
  }

  private void add(RecordedEvent event) {
    if (!waiting.offer(event)) {
      dropped.incrementAndGet();
    }
  }

  /** Writes what is waiting, if that does not take long, and ends. */
  @Override
  public void close() {
    closing = true;
    add(WAKE_UP);
    boolean interrupted = false;
    try {
      thread.join(LONGEST_CLOSING);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    thread.interrupt();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      attempt(() -> {}, 0);
      while (!closing || !waiting.isEmpty()) {
        RecordedEvent event = waiting.poll(pause().toMillis(), TimeUnit.MILLISECONDS);
        step(event);
      }
    } catch (InterruptedException e) {
      // It was closed, and could not write any more.
    } finally {
      RecordingTarget open = target;
      target = null;
      if (open != null) {
        try (open) {
          open.alive(clock.instant());
        } catch (RecordingException e) {
          warnings.accept(String.valueOf(e.getMessage()));
        }
      }
    }
  }

  private Duration pause() {
    return outage == null || retry.compareTo(QUIET) > 0 ? QUIET : retry;
  }

  private void step(@Nullable RecordedEvent event) {
    if (WAKE_UP.equals(event)) {
      return;
    }
    RecordedEvent.State before = newest;
    if (event instanceof RecordedEvent.State state) {
      if (before != null
          && before.cluster().isIdenticalTo(state.cluster())
          && before.revision() == state.revision()) {
        if (outage != null) {
          // There is nothing to write, but it may be time to try again.
          attempt(() -> {}, 0);
        }
        return;
      }
      newest = before == null ? unchanged(state) : state;
    }
    RecordedEvent.State state = newest;
    attempt(
        () -> {
          RecordingTarget open = open();
          if (event == null) {
            open.alive(clock.instant());
          } else {
            open.write(event instanceof RecordedEvent.State && state != null ? state : event);
          }
        },
        event == null ? 0 : 1);
  }

  /** The first state is where a recording begins, and no change. */
  private static RecordedEvent.State unchanged(RecordedEvent.State state) {
    return new RecordedEvent.State(
        state.time(), state.revision(), false, state.cluster(), state.versions());
  }

  /**
   * Tries to write.
   *
   * @param entries how many are lost if that fails
   */
  private void attempt(Runnable writing, long entries) {
    Outage before = outage;
    if (before != null && System.nanoTime() - before.next < 0) {
      outage = new Outage(before.since, before.cause, before.lost + entries, before.next);
      return;
    }
    try {
      open();
      if (before == null) {
        noteDropped();
        writing.run();
      } else {
        catchUp(before, entries);
      }
    } catch (RecordingException e) {
      fail(e, before, entries);
    } catch (RuntimeException | Error e) {
      Failures.ofProcess().add(PLACE, e);
      leave();
      fail(new RecordingException("the recording failed: " + e, e), before, entries);
    }
  }

  private RecordingTarget open() {
    RecordingTarget open = target;
    if (open == null) {
      open = opening.get();
      try {
        open.write(started);
      } catch (RecordingException e) {
        open.close();
        throw e;
      }
      target = open;
    }
    return open;
  }

  /** Closes what may not be as it should; the next attempt opens it again. */
  private void leave() {
    RecordingTarget open = target;
    target = null;
    if (open != null) {
      open.close();
    }
  }

  private void noteDropped() {
    long lost = dropped.getAndSet(0);
    if (lost > 0) {
      open()
          .write(
              new RecordedEvent.Problem(
                  clock.instant(),
                  Counted.of(lost, "event")
                      + " not recorded: more happened than could be written"));
    }
  }

  /** Goes on with the newest state, and says what is missing before it. */
  private void catchUp(Outage ended, long entries) {
    RecordingTarget open = open();
    RecordedEvent.State state = newest;
    if (state != null) {
      open.write(state);
    }
    long lost = ended.lost + entries;
    if (lost > 0) {
      open.write(
          new RecordedEvent.Problem(
              clock.instant(),
              "not recorded since "
                  + ended.since
                  + ": up to "
                  + Counted.of(lost, "event")
                  + "; "
                  + ended.cause));
    }
    outage = null;
    warnings.accept("recording again");
  }

  private void fail(RecordingException failure, @Nullable Outage before, long entries) {
    Instant now = clock.instant();
    String cause = String.valueOf(failure.getMessage());
    if (before == null) {
      warnings.accept(
          failure
              .code()
              .mark(
                  cause
                      + "; nothing is recorded until that works, which is tried every "
                      + retry.toSeconds()
                      + " seconds; traffic is not affected"));
    }
    outage =
        new Outage(
            before == null ? now : before.since,
            cause,
            (before == null ? 0 : before.lost) + entries,
            System.nanoTime() + retry.toNanos());
  }
}
