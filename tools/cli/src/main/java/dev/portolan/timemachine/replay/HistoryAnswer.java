package dev.portolan.timemachine.replay;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.text.Counted;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.ResultTree;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The history of one service in a recording. */
public final class HistoryAnswer {
  private final NamespacedName service;
  private final Optional<String> node;
  private final RecordingInput recording;
  private final List<HistoryEntry> entries;
  private final int withoutEffect;

  private HistoryAnswer(
      NamespacedName service,
      Optional<String> node,
      RecordingInput recording,
      List<HistoryEntry> entries,
      int withoutEffect) {
    this.service = service;
    this.node = node;
    this.recording = recording;
    this.entries = entries;
    this.withoutEffect = withoutEffect;
  }

  /**
   * Reads the recording {@code file}.
   *
   * @param service as a person calls it
   * @param node the node to look from; empty for all of them
   * @param zone of the times for a person
   */
  public static HistoryAnswer read(
      String file, String service, Optional<String> node, ZoneId zone, Remarks remarks) {
    RecordingInput recording = RecordingInput.open(file, zone, remarks);
    NamespacedName name = recording.service(service);
    Optional<String> wanted = node.map(recording::node);
    List<HistoryEntry> entries = new ArrayList<>();
    ServiceHistory history = new ServiceHistory(name, wanted, recording::settings, entries::add);
    try (Waiting _ = Waiting.busy(() -> "deciding", remarks)) {
      recording.read(history::take);
    }
    return new HistoryAnswer(name, wanted, recording, entries, history.withoutEffect());
  }

  /** Prints the answer for a person. */
  public void print(Terminal terminal) {
    HistoryText text = new HistoryText(node.isEmpty(), terminal, recording.zone());
    entries.forEach(text::print);
    terminal.print(entries.isEmpty() ? List.of() : List.of(""));
    terminal.print(Text.wrap(summary(), terminal.width()));
  }

  private String summary() {
    long changes = entries.stream().filter(entry -> !entry.first()).count();
    return Counted.of(changes, "change")
        + " of "
        + service
        + " from "
        + recording.local(recording.begin())
        + " to "
        + recording.local(recording.end())
        + (withoutEffect == 0
            ? ""
            : "; "
                + Counted.of(withoutEffect, "more change")
                + " of its objects changed no decision");
  }

  private record Facts(
      @Tree.Inline NamespacedName service,
      Optional<String> nodeName,
      Instant begin,
      Instant end,
      int changesWithoutEffect) {}

  /** The answer for programs. */
  public ResultTree tree() {
    return ResultTree.list(
        "ServiceHistory",
        new Facts(service, node, recording.begin(), recording.end(), withoutEffect),
        "changes",
        entries,
        entry -> "revision/" + entry.revision());
  }
}
