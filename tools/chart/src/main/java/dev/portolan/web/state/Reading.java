package dev.portolan.web.state;

import dev.portolan.core.cluster.Source;
import dev.portolan.core.text.Tree;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.WatchedSource;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * How the reading of the cluster goes.
 *
 * @param recordedAt when the state that is shown was, where it comes from a recording
 */
public record Reading(Source.Kind kind, WatchedSource.Status status, Optional<Instant> recordedAt)
    implements Tree.Shown {
  /** How it goes now. */
  public static Reading of(ChartSubject subject) {
    WatchedSource source = subject.reading();
    return new Reading(source.kind(), source.status(), source.recordedAt());
  }

  /** Whether this differs from {@code told} in more than the time of the last news. */
  public boolean tellsMoreThan(Reading told) {
    return status.isCurrent() != told.status.isCurrent()
        || !status.problem().equals(told.status.problem())
        || !status.lostAt().equals(told.status.lostAt())
        || !recordedAt.equals(told.recordedAt);
  }

  private record Form(
      String kind,
      boolean current,
      Optional<Instant> news,
      String problem,
      Optional<Instant> lostAt,
      Optional<Instant> recordedAt) {}

  @Override
  public Object shown() {
    return new Form(
        kind.name().toLowerCase(Locale.ROOT),
        status.isCurrent(),
        status.news(),
        status.problem(),
        status.lostAt(),
        recordedAt);
  }
}
