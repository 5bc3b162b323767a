package dev.portolan.timemachine.replay;

import dev.portolan.compare.FieldChange;
import dev.portolan.core.node.NodeTree;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.query.ResultTree;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A timeline for programs: one tree for each event, which {@code type} tells apart. */
final class ReplayTree implements ReplayOutput {
  private final Output form;
  private final Terminal terminal;
  private boolean titled;

  /** Prints to {@code terminal} in {@code form}. */
  public ReplayTree(Output form, Terminal terminal) {
    this.form = form;
    this.terminal = terminal;
  }

  @Override
  public void inEffect(NodeRevision revision) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("revision", revision.revision());
    print("inEffect", revision.time(), tree);
  }

  @Override
  public void revision(
      NodeRevision revision,
      List<ServiceChange> services,
      boolean ofNode,
      List<FieldChange> causes) {
    Map<String, Object> tree = NodeTree.of(revision.change(), services);
    if (!ofNode) {
      tree.remove("node");
    }
    tree.put("causes", causes(causes));
    print("revision", revision.time(), tree);
  }

  /** Fields that changed, as trees. */
  static List<Map<String, Object>> causes(List<FieldChange> causes) {
    return causes.stream()
        .map(cause -> {
          Map<String, Object> tree = new LinkedHashMap<>();
          tree.put("object", cause.object().toString());
          tree.put("field", cause.field());
          tree.put("before", cause.before());
          tree.put("after", cause.after());
          return tree;
        })
        .toList();
  }

  @Override
  public void event(RecordedEvent event) {
    Map<String, Object> tree = new LinkedHashMap<>();
    String type =
        switch (event) {
          case RecordedEvent.Started started -> {
            tree.put("recorder", started.recorder());
            tree.put("version", started.version());
            tree.put("servedNode", started.node());
            tree.put("source", started.source());
            yield "started";
          }
          case RecordedEvent.Synced synced -> {
            tree.put("revision", synced.revision());
            tree.put("seconds", seconds(synced.took()));
            tree.put("full", synced.full());
            tree.put("error", synced.error().orElse(""));
            yield "synced";
          }
          case RecordedEvent.Repaired repaired -> {
            tree.put("objects", repaired.objects());
            tree.put("cause", repaired.cause());
            yield "repaired";
          }
          case RecordedEvent.Problem problem -> {
            tree.put("sentence", problem.sentence());
            yield "problem";
          }
          case RecordedEvent.State _ -> throw new IllegalStateException("a state is a revision");
        };
    print(type, event.time(), tree);
  }

  @Override
  public void summary(ReplaySummary summary) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("nodeName", summary.node());
    tree.put("begin", summary.begin().map(Instant::toString).orElse(""));
    tree.put("end", summary.end().map(Instant::toString).orElse(""));
    tree.put("changes", summary.changes());
    tree.put("revisions", summary.revisions());
    tree.put("syncs", summary.syncs());
    tree.put("failedSyncs", summary.failedSyncs());
    tree.put(
        "slowestSyncSeconds",
        summary.slowestSync().map(synced -> seconds(synced.took())).orElse(0.0));
    tree.put("repairs", summary.repairs());
    tree.put("problems", summary.problems());
    tree.put("starts", summary.starts());
    print("summary", null, tree);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private void print(String type, @Nullable Instant time, Map<String, Object> fields) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("type", type);
    tree.put("time", time == null ? "" : time.toString());
    tree.putAll(fields);
    form.printOneOfMany(ResultTree.of("ReplayEvent", type, tree), !titled, terminal);
    titled = true;
    terminal.out().flush();
  }
}
