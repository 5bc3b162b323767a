package dev.portolan.web.http;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.text.Json;
import dev.portolan.core.text.Tree;
import dev.portolan.web.state.ChartChange;
import dev.portolan.web.state.ChartFeed;
import dev.portolan.web.state.ChartState;
import dev.portolan.web.state.NodeRow;
import dev.portolan.web.state.NodeRows;
import dev.portolan.web.state.Reading;
import dev.portolan.web.state.ServiceRow;
import dev.portolan.wiring.ChartSubject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends changes to pages as they happen.
 *
 * <p>Nothing queues up: each page is sent the difference between what it was sent last and what is
 * newest when it can take more, so a slow one gets fewer and larger changes.
 */
final class ChartStream {
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);
  private static final Duration LOOK_AT_NODES = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration FOR_A_WRITE = Duration.ofSeconds(30);

  private final ChartSubject subject;
  private final ChartFeed feed;
  private final NodeRows nodeRows;
  private final Deadlines deadlines;
  private final String started = Instant.now().toString();

  /** The last change that was computed; pages mostly need the same one. */
  private final AtomicReference<@Nullable Step> last = new AtomicReference<>();

  private record Step(long before, long after, ChartChange change) {}

  ChartStream(ChartSubject subject, ChartFeed feed, NodeRows nodeRows, Deadlines deadlines) {
    this.subject = subject;
    this.feed = feed;
    this.nodeRows = nodeRows;
    this.deadlines = deadlines;
  }

  /** Writes to {@code out} until the client is gone, or takes too long. */
  void run(OutputStream out) {
    try {
      ChartState sent = feed.newest();
      SortedMap<String, NodeRow> nodes = nodeRows.of(sent);
      Reading told = Reading.of(subject);
      write(out, "event: hello\ndata: " + hello(sent, told) + "\n\n");
      long wroteAt = System.nanoTime();
      Duration wait = subject.fleet().isPresent() ? LOOK_AT_NODES : HEARTBEAT;
      while (true) {
        feed.await(sent.revision(), told, wait);
        Reading reading = Reading.of(subject);
        if (reading.tellsMoreThan(told)) {
          // First: asking how far the nodes are may take until the timeout if the brain is gone.
          write(out, "event: reading\ndata: " + Json.line(Tree.of(reading)) + "\n\n");
          wroteAt = System.nanoTime();
          told = reading;
        }
        ChartState newest = feed.newest();
        SortedMap<String, NodeRow> newestNodes = nodeRows.of(newest);
        String change = change(sent, newest, nodes, newestNodes);
        if (!change.isEmpty()) {
          write(out, "event: change\ndata: " + change + "\n\n");
          wroteAt = System.nanoTime();
        } else if (System.nanoTime() - wroteAt >= HEARTBEAT.toNanos()) {
          write(out, ": still here\n\n");
          wroteAt = System.nanoTime();
        }
        sent = newest;
        nodes = newestNodes;
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(OutputStream out, String text) {
    deadlines.set(FOR_A_WRITE);
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    deadlines.clear();
  }

  private String hello(ChartState state, Reading reading) {
    return Json.line(Tree.of(new Hello(state.revision(), subject.version(), started, reading)));
  }

  private record Hello(long revision, String version, String started, Reading reading) {}

  private record Change(
      long revision,
      Instant at,
      Reading reading,
      List<ServiceRow> services,
      List<NamespacedName> removed,
      List<NodeRow> nodes,
      List<String> nodesRemoved,
      List<ChartChange.ObjectChange> changes,
      @Tree.OmitEmpty boolean truncated) {}

  /** Rows that are others than before. */
  private static List<NodeRow> changed(
      SortedMap<String, NodeRow> before, SortedMap<String, NodeRow> after) {
    List<NodeRow> changed = new ArrayList<>();
    after.forEach((name, row) -> {
      if (!row.equals(before.get(name))) {
        changed.add(row);
      }
    });
    return changed;
  }

  private String change(
      ChartState before,
      ChartState after,
      SortedMap<String, NodeRow> nodesBefore,
      SortedMap<String, NodeRow> nodesAfter) {
    List<NodeRow> nodes = changed(nodesBefore, nodesAfter);
    List<String> gone =
        nodesBefore.keySet().stream().filter(name -> !nodesAfter.containsKey(name)).toList();
    if (before.revision() == after.revision() && nodes.isEmpty() && gone.isEmpty()) {
      return "";
    }
    ChartChange change = between(before, after);
    return Json.line(
        Tree.of(
            new Change(
                after.revision(),
                after.at(),
                Reading.of(subject),
                change.services(),
                change.removed(),
                nodes,
                gone,
                change.changes(),
                change.truncated())));
  }

  private ChartChange between(ChartState before, ChartState after) {
    Step known = last.get();
    if (known != null && known.before == before.revision() && known.after == after.revision()) {
      return known.change;
    }
    ChartChange change = ChartChange.between(before, after);
    last.set(new Step(before.revision(), after.revision(), change));
    return change;
  }
}
