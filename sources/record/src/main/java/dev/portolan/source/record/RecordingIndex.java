package dev.portolan.source.record;

import dev.portolan.api.v1.RecordingEntry;
import dev.portolan.api.v1.RecordingState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a recording covers, found without decoding the objects in it.
 *
 * @param runs the processes that recorded, oldest first
 * @param begin when the first state was recorded
 * @param end the last moment that is known to be covered
 * @param damage what cannot be read, as a sentence; empty where nothing is wrong
 */
public record RecordingIndex(List<Run> runs, Instant begin, Instant end, String damage) {
  /**
   * What one process recorded.
   *
   * @param first the revision of its first state, or 0 where it has none
   * @param last the revision of its last state, or 0 where it has none
   */
  public record Run(RecordedEvent.Started started, long first, long last) {
    /** Whether it was there when the revision was decided. */
    boolean has(long revision) {
      return first > 0 && first <= revision && revision <= last;
    }
  }

  public RecordingIndex {
    runs = List.copyOf(runs);
  }

  /** The process that recorded last. */
  public Optional<RecordedEvent.Started> newest() {
    return runs.isEmpty() ? Optional.empty() : Optional.of(runs.getLast().started);
  }

  /**
   * Skims the files.
   *
   * @throws RecordingException if they have no state
   */
  static RecordingIndex of(Recording recording) {
    try (EntryStream entries = new EntryStream(recording.files())) {
      Skim skim = new Skim();
      for (RecordingEntry entry = entries.next(); entry != null; entry = entries.next()) {
        skim.add(entry);
      }
      if (skim.begin == null || skim.end == null) {
        String damage = entries.damage();
        throw new RecordingException(
            recording.path()
                + " has no state of a cluster"
                + (damage.isEmpty()
                    ? ": the process that recorded ended before it knew one"
                    : ": " + damage));
      }
      return new RecordingIndex(skim.runs, skim.begin, skim.end, entries.damage());
    }
  }

  /** What was seen so far. */
  private static final class Skim {
    private final List<Run> runs = new ArrayList<>();
    private @Nullable Instant begin;
    private @Nullable Instant end;
    private long run;

    void add(RecordingEntry entry) {
      Instant time = EntryReader.time(entry);
      if (entry.hasStarted()) {
        if (runs.isEmpty() || run != entry.getStarted().getRun()) {
          run = entry.getStarted().getRun();
          runs.add(new Run(EntryReader.event(time, entry.getStarted()), 0, 0));
        }
      } else if (entry.hasState() && !entry.getState().getContinued()) {
        begin = begin == null ? time : begin;
        extend(entry.getState());
      }
      end = end == null || time.isAfter(end) ? time : end;
    }

    private void extend(RecordingState state) {
      if (!runs.isEmpty()) {
        Run last = runs.removeLast();
        long first = last.first == 0 ? state.getRevision() : last.first;
        runs.add(new Run(last.started, first, state.getRevision()));
      }
    }
  }
}
