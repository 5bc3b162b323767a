package dev.portolan.timemachine.record;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.text.Tree;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recording;
import dev.portolan.source.record.RecordingIndex;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is in a recording, in numbers. */
final class RecordingSummary implements Tree.Shown {
  private final Recording recording;
  private final RecordingIndex index;
  private RecordedEvent.@Nullable State first;
  private RecordedEvent.@Nullable State last;
  private long changes;
  private long syncs;
  private long fullSyncs;
  private long failedSyncs;
  private RecordedEvent.@Nullable Synced slowest;
  private long repairs;
  private long repairedObjects;
  private long problems;
  private String lastProblem = "";

  private RecordingSummary(Recording recording) {
    this.recording = recording;
    this.index = recording.index();
  }

  /** Reads all of {@code recording}. */
  static RecordingSummary of(Recording recording) {
    RecordingSummary summary = new RecordingSummary(recording);
    recording.read(summary::add);
    return summary;
  }

  private void add(RecordedEvent event) {
    switch (event) {
      case RecordedEvent.Started _ -> {}
      case RecordedEvent.State state -> {
        first = first == null ? state : first;
        last = state;
        changes += state.changed() ? 1 : 0;
      }
      case RecordedEvent.Synced sync -> {
        syncs++;
        fullSyncs += sync.full() ? 1 : 0;
        failedSyncs += sync.error().isPresent() ? 1 : 0;
        slowest = slowest == null || sync.took().compareTo(slowest.took()) > 0 ? sync : slowest;
      }
      case RecordedEvent.Repaired repair -> {
        repairs++;
        repairedObjects += repair.objects();
      }
      case RecordedEvent.Problem problem -> {
        problems++;
        lastProblem = problem.sentence();
      }
    }
  }

  Recording recording() {
    return recording;
  }

  RecordingIndex index() {
    return index;
  }

  ClusterImage firstCluster() {
    return first == null ? ClusterImage.EMPTY : first.cluster();
  }

  ClusterImage lastCluster() {
    return last == null ? ClusterImage.EMPTY : last.cluster();
  }

  long changes() {
    return changes;
  }

  long syncs() {
    return syncs;
  }

  long fullSyncs() {
    return fullSyncs;
  }

  long failedSyncs() {
    return failedSyncs;
  }

  Optional<RecordedEvent.Synced> slowest() {
    return Optional.ofNullable(slowest);
  }

  long repairs() {
    return repairs;
  }

  long repairedObjects() {
    return repairedObjects;
  }

  long problems() {
    return problems;
  }

  String lastProblem() {
    return lastProblem;
  }

  private record Form(
      Path path,
      long bytes,
      int parts,
      Instant from,
      Instant to,
      List<Run> runs,
      Counts first,
      Counts last,
      long changes,
      Syncs syncs,
      Repairs repairs,
      Problems problems,
      String damage) {}

  private record Run(
      Instant time,
      String recorder,
      String version,
      String node,
      String source,
      long firstRevision,
      long lastRevision,
      String configuration) {
    static Run of(RecordingIndex.Run run) {
      RecordedEvent.Started started = run.started();
      return new Run(
          started.time(),
          started.recorder(),
          started.version(),
          started.node(),
          started.source(),
          run.first(),
          run.last(),
          started.configuration());
    }
  }

  private record Counts(int services, int slices, int nodes, int serviceCIDRs) {
    static Counts of(ClusterImage cluster) {
      return new Counts(
          cluster.services().size(),
          cluster.slices().size(),
          cluster.nodes().size(),
          cluster.serviceCidrs().size());
    }
  }

  private record Syncs(
      long count,
      long full,
      long failed,
      double slowestSeconds,
      Optional<Instant> slowestTime,
      long slowestRevision) {}

  private record Repairs(long count, long objects) {}

  private record Problems(long count, String last) {}

  @Override
  public Object shown() {
    return new Form(
        recording.path(),
        recording.bytes(),
        recording.files().size(),
        index.begin(),
        index.end(),
        index.runs().stream().map(Run::of).toList(),
        Counts.of(firstCluster()),
        Counts.of(lastCluster()),
        changes,
        new Syncs(
            syncs,
            fullSyncs,
            failedSyncs,
            slowest == null ? 0 : slowest.took().toNanos() / 1e9,
            slowest().map(RecordedEvent.Synced::time),
            slowest == null ? 0 : slowest.revision()),
        new Repairs(repairs, repairedObjects),
        new Problems(problems, lastProblem),
        index.damage());
  }
}
