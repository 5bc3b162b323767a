package dev.portolan.timemachine.record;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recording;
import dev.portolan.source.record.RecordingIndex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is in a recording, in numbers. */
final class RecordingSummary {
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

  /** The fields for programs. */
  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("path", recording.path().toString());
    tree.put("bytes", recording.bytes());
    tree.put("parts", recording.files().size());
    tree.put("from", index.begin().toString());
    tree.put("to", index.end().toString());
    tree.put("runs", runs());
    tree.put("first", counts(firstCluster()));
    tree.put("last", counts(lastCluster()));
    tree.put("changes", changes);
    Map<String, Object> sync = new LinkedHashMap<>();
    sync.put("count", syncs);
    sync.put("full", fullSyncs);
    sync.put("failed", failedSyncs);
    sync.put("slowestSeconds", slowest == null ? 0 : slowest.took().toNanos() / 1e9);
    sync.put("slowestTime", slowest == null ? "" : slowest.time().toString());
    sync.put("slowestRevision", slowest == null ? 0 : slowest.revision());
    tree.put("syncs", sync);
    Map<String, Object> repaired = new LinkedHashMap<>();
    repaired.put("count", repairs);
    repaired.put("objects", repairedObjects);
    tree.put("repairs", repaired);
    Map<String, Object> trouble = new LinkedHashMap<>();
    trouble.put("count", problems);
    trouble.put("last", lastProblem);
    tree.put("problems", trouble);
    tree.put("damage", index.damage());
    return tree;
  }

  private List<Map<String, Object>> runs() {
    return index.runs().stream()
        .map(run -> {
          Map<String, Object> tree = new LinkedHashMap<>();
          tree.put("time", run.started().time().toString());
          tree.put("recorder", run.started().recorder());
          tree.put("version", run.started().version());
          tree.put("node", run.started().node());
          tree.put("source", run.started().source());
          tree.put("firstRevision", run.first());
          tree.put("lastRevision", run.last());
          tree.put("configuration", run.started().configuration());
          return tree;
        })
        .toList();
  }

  private static Map<String, Object> counts(ClusterImage cluster) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("services", cluster.services().size());
    tree.put("slices", cluster.slices().size());
    tree.put("nodes", cluster.nodes().size());
    tree.put("serviceCIDRs", cluster.serviceCidrs().size());
    return tree;
  }
}
