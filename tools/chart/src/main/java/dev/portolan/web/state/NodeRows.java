package dev.portolan.web.state;

import dev.portolan.core.cluster.Node;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.NodeProgress;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of all nodes, read again no more often than once per moment. */
public final class NodeRows {
  private static final Duration MOMENT = Duration.ofMillis(500);

  private final ChartSubject subject;
  private @Nullable PersistentMap<String, Node> nodes;
  private SortedMap<String, NodeRow> rows = new TreeMap<>();
  private long readAt;

  /** Rows of the nodes of {@code subject}. */
  public NodeRows(ChartSubject subject) {
    this.subject = subject;
  }

  /** The rows of the nodes in {@code state}, and of those that only report. */
  public synchronized SortedMap<String, NodeRow> of(ChartState state) {
    PersistentMap<String, Node> newest = state.decision().cluster().nodes();
    boolean same = nodes != null && nodes.isIdenticalTo(newest);
    boolean young = System.nanoTime() - readAt < MOMENT.toNanos();
    if (same && (subject.fleet().isEmpty() || young)) {
      return rows;
    }
    SortedMap<String, NodeProgress> progress = new TreeMap<>();
    subject.fleet().ifPresent(fleet -> fleet.get().forEach(one -> progress.put(one.node(), one)));
    SortedMap<String, NodeRow> read = new TreeMap<>();
    for (Map.Entry<String, Node> node : newest) {
      String name = node.getKey();
      read.put(name, NodeRow.of(name, node.getValue(), progress.remove(name)));
    }
    progress.forEach((name, one) -> read.put(name, NodeRow.of(name, null, one)));
    nodes = newest;
    rows = read;
    readAt = System.nanoTime();
    return read;
  }
}
