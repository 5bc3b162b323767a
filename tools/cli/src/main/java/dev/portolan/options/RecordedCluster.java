package dev.portolan.options;

import dev.portolan.core.cluster.Source;
import dev.portolan.source.record.RecordPoint;
import dev.portolan.source.record.RecordSource;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recording;
import dev.portolan.source.record.RecordingException;
import dev.portolan.source.record.RecordingIndex;
import dev.portolan.source.record.Speed;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A recording that was named as a source, read no more often than needed. */
final class RecordedCluster {
  private final SourceName.Recorded name;
  private final Recording recording;
  private final RecordingIndex index;
  private final Optional<RecordPoint> point;
  private RecordedEvent.@Nullable State state;

  /** Finds the point that was named; it is a mistake if there is none. */
  RecordedCluster(SourceName.Recorded name, Remarks remarks) {
    this.name = name;
    this.recording = readable(() -> Recording.open(name.path()));
    try (Waiting _ = waiting(remarks)) {
      this.index = readable(recording::index);
    }
    this.point =
        name.point().isEmpty()
            ? Optional.empty()
            : Optional.of(
                readable(() -> {
                  try {
                    return RecordPoint.parse(name.point(), index, ZoneId.systemDefault());
                  } catch (RecordingException e) {
                    throw new RecordingException(name.path() + ": " + e.getMessage(), e);
                  }
                }));
  }

  private Waiting waiting(Remarks remarks) {
    return Waiting.busy(() -> "reading " + name.path(), remarks);
  }

  /** What was recorded at the point, or else at the end. */
  SourceOptions.Reading read(Remarks remarks) {
    List<String> warnings =
        index.damage().isEmpty() ? List.of() : List.of(name.path() + ": " + index.damage());
    return new SourceOptions.Reading(state(remarks).cluster(), Map.of(), warnings);
  }

  private RecordedEvent.State state(Remarks remarks) {
    RecordedEvent.State found = state;
    if (found == null) {
      try (Waiting _ = waiting(remarks)) {
        found = readable(() -> point.map(recording::at).orElseGet(recording::last));
      }
      state = found;
    }
    return found;
  }

  /** To be followed: played from its start, or still where a point was named. */
  Source open(Speed speed, Remarks remarks) {
    return point.isPresent() ? still(remarks) : RecordSource.playing(recording, speed);
  }

  /** As it was at the point, or else at the end. */
  Source still(Remarks remarks) {
    return RecordSource.still(recording, state(remarks));
  }

  /** Who recorded it at the point, or else at the end. */
  Optional<RecordedEvent.Started> recorder() {
    RecordedEvent.Started found = null;
    for (int i = 0; i < index.runs().size(); i++) {
      RecordedEvent.Started started = index.runs().get(i).started();
      boolean past =
          switch (point.orElse(null)) {
            case RecordPoint.AtTime(var time) -> started.time().isAfter(time);
            case RecordPoint.AtRevision(int run, var _) -> i > run;
            case null -> false;
          };
      found = past ? found : started;
    }
    return Optional.ofNullable(found);
  }

  private static <T> T readable(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (RecordingException e) {
      throw CommandFailure.input(e.code(), Text.printable(String.valueOf(e.getMessage())));
    }
  }
}
