package dev.portolan.timemachine.replay;

import dev.portolan.compare.FieldChange;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.text.Tree;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.query.ResultTree;
import dev.portolan.terminal.view.ChangeTree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private record Event(String type, Optional<Instant> time, @Tree.Inline Object fields) {}

  private record Revision(@Tree.Inline ChangeTree change, List<FieldChange> causes) {}

  private record Started(String recorder, String version, String servedNode, String source) {}

  private record Synced(long revision, double seconds, boolean full, Optional<String> error) {}

  private record Repaired(int objects, String cause) {}

  @Override
  public void inEffect(NodeRevision revision) {
    print("inEffect", revision.time(), Map.of("revision", revision.revision()));
  }

  @Override
  public void revision(
      NodeRevision revision,
      List<ServiceChange> services,
      boolean ofNode,
      List<FieldChange> causes) {
    ChangeTree change = ChangeTree.of(revision.change(), services);
    print("revision", revision.time(), new Revision(ofNode ? change : change.ofServices(), causes));
  }

  @Override
  public void event(RecordedEvent event) {
    switch (event) {
      case RecordedEvent.Started started ->
          print(
              "started",
              event.time(),
              new Started(started.recorder(), started.version(), started.node(), started.source()));
      case RecordedEvent.Synced synced ->
          print(
              "synced",
              event.time(),
              new Synced(synced.revision(), seconds(synced.took()), synced.full(), synced.error()));
      case RecordedEvent.Repaired repaired ->
          print("repaired", event.time(), new Repaired(repaired.objects(), repaired.cause()));
      case RecordedEvent.Problem problem ->
          print("problem", event.time(), Map.of("sentence", problem.sentence()));
      case RecordedEvent.State _ -> throw new IllegalStateException("a state is a revision");
    }
  }

  @Override
  public void summary(ReplaySummary summary) {
    print("summary", null, summary);
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private void print(String type, @Nullable Instant time, Object fields) {
    Event event = new Event(type, Optional.ofNullable(time), fields);
    form.printOneOfMany(ResultTree.of("ReplayEvent", type, event), !titled, terminal);
    titled = true;
    terminal.out().flush();
  }
}
