package dev.portolan.source.record;

import dev.portolan.core.cluster.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A recording as a source: played from its start to its end, where it stays, or still. */
public final class RecordSource implements Source {
  private final Recording recording;
  private final Speed speed;
  private final RecordedEvent.@Nullable State still;
  private final LongSupplier nanoClock;
  private final Sleeper sleeper;
  private volatile @Nullable Instant shown;

  /** Waits; in tests, only seemingly. */
  interface Sleeper {
    void sleep(Duration time) throws InterruptedException;
  }

  RecordSource(
      Recording recording,
      Speed speed,
      RecordedEvent.@Nullable State still,
      LongSupplier nanoClock,
      Sleeper sleeper) {
    this.recording = recording;
    this.speed = speed;
    this.still = still;
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
  }

  /** Hands over one state after another, with the pauses that were between them. */
  public static RecordSource playing(Recording recording, Speed speed) {
    return new RecordSource(recording, speed, null, System::nanoTime, Thread::sleep);
  }

  /** Hands over {@code state}, and then nothing else. */
  public static RecordSource still(Recording recording, RecordedEvent.State state) {
    return new RecordSource(recording, Speed.MAX, state, System::nanoTime, Thread::sleep);
  }

  @Override
  public Kind kind() {
    return Kind.RECORDING;
  }

  @Override
  public Optional<Instant> recordedAt() {
    return Optional.ofNullable(shown);
  }

  @Override
  public void run(Sink sink) throws InterruptedException {
    if (still != null) {
      handOver(still, sink);
    } else {
      String damage = play(sink);
      if (!damage.isEmpty()) {
        sink.report(recording.path() + ": " + damage);
      }
    }
    new CountDownLatch(1).await();
  }

  private void handOver(RecordedEvent.State state, Sink sink) {
    shown = state.time();
    sink.apply(state.cluster());
  }

  private String play(Sink sink) throws InterruptedException {
    try (RecordingReader reader = recording.reader()) {
      Instant begin = null;
      long start = nanoClock.getAsLong();
      for (RecordedEvent event = reader.next(); event != null; event = reader.next()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (event instanceof RecordedEvent.State state) {
          begin = begin == null ? state.time() : begin;
          // Counted from the start, so that what takes time here does not add up.
          Duration due = speed.of(Duration.between(begin, state.time()));
          Duration left = due.minusNanos(nanoClock.getAsLong() - start);
          if (left.isPositive()) {
            sleeper.sleep(left);
          }
          handOver(state, sink);
        }
      }
      return reader.damage();
    }
  }
}
