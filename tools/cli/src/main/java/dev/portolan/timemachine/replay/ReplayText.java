package dev.portolan.timemachine.replay;

import dev.portolan.compare.FieldChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.text.Counted;
import dev.portolan.core.text.GoDuration;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.view.DeltaText;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A timeline for a person. */
final class ReplayText implements ReplayOutput {
  private final Terminal terminal;
  private final TimeColumn column;
  private final String node;
  private String served = "";

  /**
   * Prints what is decided for {@code node} to {@code terminal}, with the times of {@code zone}.
   */
  public ReplayText(String node, Terminal terminal, ZoneId zone) {
    this.node = node;
    this.terminal = terminal;
    this.column = new TimeColumn(terminal, zone);
  }

  @Override
  public void inEffect(NodeRevision revision) {
    column.print(revision.time(), Paint.BOLD, "revision " + revision.revision() + " is in effect");
  }

  @Override
  public void revision(
      NodeRevision revision,
      List<ServiceChange> services,
      boolean ofNode,
      List<FieldChange> causes) {
    List<String> lines = new ArrayList<>();
    if (revision.isFirst() && ofNode) {
      lines.add(
          terminal.paint(Paint.BOLD, "revision " + revision.revision() + ": " + size(revision)));
    } else if (revision.change().isEmpty()) {
      lines.add(
          terminal.paint(
              Paint.BOLD, "revision " + revision.revision() + ": the same decisions as before"));
    } else {
      lines.addAll(DeltaText.lines(revision.change(), services, column.width(), terminal));
    }
    lines.addAll(column.because(causes));
    column.print(revision.time(), lines);
  }

  private static String size(NodeRevision revision) {
    NodeImage image = revision.change().after();
    int ports = 0;
    for (NodeService service : image.services()) {
      ports += service.ports().size();
    }
    return Counted.of(image.services().size(), "service")
        + " with "
        + Counted.of(ports, "port")
        + " on "
        + image.facts().name();
  }

  @Override
  public void event(RecordedEvent event) {
    switch (event) {
      case RecordedEvent.Started started -> {
        served = started.node();
        column.print(
            event.time(),
            Paint.NONE,
            "started: "
                + started.recorder()
                + " "
                + started.version()
                + (started.node().isEmpty() ? "" : " on " + started.node())
                + (started.source().isEmpty() ? "" : ", reads " + started.source()));
      }
      case RecordedEvent.Synced synced -> synced(synced);
      case RecordedEvent.Repaired repaired ->
          column.print(
              event.time(),
              Paint.YELLOW,
              "repaired "
                  + Counted.of(repaired.objects(), "object")
                  + " in the kernel"
                  + (repaired.cause().isEmpty() ? "" : ": " + repaired.cause()));
      case RecordedEvent.Problem problem ->
          column.print(event.time(), Paint.RED, "problem: " + problem.sentence());
      case RecordedEvent.State _ -> {}
    }
  }

  private void synced(RecordedEvent.Synced synced) {
    Optional<String> error = synced.error();
    // Names the node where another node's process did something.
    String on = served.isEmpty() || served.equals(node) ? "" : " on " + served;
    column.print(
        synced.time(),
        error.isPresent() ? Paint.RED : Paint.NONE,
        error.isPresent()
            ? "sync of revision "
                + synced.revision()
                + on
                + " failed"
                + (synced.took().isZero() ? "" : " after " + time(synced.took()))
                + ": "
                + error.get()
            : "applied revision "
                + synced.revision()
                + on
                + " in "
                + time(synced.took())
                + (synced.full() ? ", in full" : ""));
  }

  @Override
  public void summary(ReplaySummary summary) {
    List<String> parts = new ArrayList<>();
    parts.add(
        Counted.of(summary.revisions(), "revision")
            + " of "
            + summary.node()
            + " in "
            + GoDuration.format(summary.length().truncatedTo(ChronoUnit.SECONDS))
            + ", from "
            + Counted.of(summary.changes(), "change")
            + " of the cluster");
    summary
        .slowestSync()
        .ifPresent(slowest ->
            parts.add(
                Counted.of(summary.syncs(), "sync")
                    + (summary.failedSyncs() == 0 ? "" : ", " + summary.failedSyncs() + " failed")
                    + ", the slowest took "
                    + time(slowest.took())
                    + " (revision "
                    + slowest.revision()
                    + ")"));
    add(parts, summary.repairs(), "repair");
    add(parts, summary.problems(), "problem");
    if (summary.starts() > 1) {
      add(parts, summary.starts(), "start");
    }
    terminal.print("");
    terminal.print(Text.wrap(String.join("; ", parts), terminal.width()));
  }

  private static void add(List<String> parts, int count, String noun) {
    if (count > 0) {
      parts.add(Counted.of(count, noun));
    }
  }

  private static String time(Duration took) {
    ChronoUnit unit = took.toMillis() < 10 ? ChronoUnit.MICROS : ChronoUnit.MILLIS;
    return GoDuration.format(took.truncatedTo(unit));
  }
}
