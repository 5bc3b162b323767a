package dev.portolan.wiring;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A source that reports its state, to be shown beside what was decided. */
public final class WatchedSource implements Source {
  private final Source source;
  private final InstantSource clock;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Status status = new Status(Optional.empty(), "", Optional.empty());

  /**
   * How a source is doing.
   *
   * @param news when it handed over a cluster last
   * @param problem why it cannot be read now; empty where it can
   * @param lostAt when it gave its last sign of life before that
   */
  public record Status(Optional<Instant> news, String problem, Optional<Instant> lostAt) {
    /** Whether what was handed over last is what there is now. */
    public boolean isCurrent() {
      return news.isPresent() && problem.isEmpty();
    }
  }

  /** Watches {@code source}. */
  public WatchedSource(Source source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  /** How it is doing now. */
  public Status status() {
    return status;
  }

  /** Calls {@code listener} when that has changed, from the thread that reads. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  private void change(Status next) {
    status = next;
    listeners.forEach(Runnable::run);
  }

  @Override
  public void run(Sink sink) throws InterruptedException {
    source.run(new Watch(sink));
  }

  @Override
  public Optional<String> place(ObjectRef object) {
    return source.place(object);
  }

  @Override
  public Map<String, String> versions() {
    return source.versions();
  }

  @Override
  public Duration silence() {
    return source.silence();
  }

  @Override
  public Kind kind() {
    return source.kind();
  }

  @Override
  public Optional<Instant> recordedAt() {
    return source.recordedAt();
  }

  /** Hears what passes to another sink. */
  private final class Watch implements Sink {
    private final Sink sink;

    private Watch(Sink sink) {
      this.sink = sink;
    }

    @Override
    public void apply(ClusterImage newest) {
      sink.apply(newest);
      change(new Status(Optional.of(clock.instant()), status.problem, status.lostAt));
    }

    @Override
    public void report(String problem) {
      sink.report(problem);
    }

    @Override
    public void retrying(ErrorCode code, String problem, String meanwhile) {
      change(
          new Status(
              status.news,
              code.mark(problem),
              status.lostAt.or(() -> Optional.of(clock.instant().minus(source.silence())))));
      sink.retrying(code, problem, meanwhile);
    }

    @Override
    public void recovered() {
      if (status.lostAt.isPresent()) {
        change(new Status(status.news.map(_ -> clock.instant()), "", Optional.empty()));
      }
      sink.recovered();
    }
  }
}
