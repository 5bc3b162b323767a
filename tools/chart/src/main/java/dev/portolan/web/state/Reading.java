package dev.portolan.web.state;

import dev.portolan.core.cluster.Source;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.WatchedSource;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How the reading of the cluster goes.
 *
 * @param recordedAt when the state that is shown was, where it comes from a recording
 */
public record Reading(Source.Kind kind, WatchedSource.Status status, Optional<Instant> recordedAt) {
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

  /** The same for the page. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", kind.name().toLowerCase(Locale.ROOT));
    tree.put("current", status.isCurrent());
    tree.put("news", text(status.news()));
    tree.put("problem", status.problem());
    tree.put("lostAt", text(status.lostAt()));
    tree.put("recordedAt", text(recordedAt));
    return tree;
  }

  private static String text(Optional<Instant> time) {
    return time.map(Instant::toString).orElse("");
  }
}
