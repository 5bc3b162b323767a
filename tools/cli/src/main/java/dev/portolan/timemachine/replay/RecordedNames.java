package dev.portolan.timemachine.replay;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.source.record.RecordedEvent;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The nodes and services that a recording has had at any time. */
final class RecordedNames {
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Set<NamespacedName> services = new TreeSet<>();
  private ClusterImage newest = ClusterImage.EMPTY;
  private String servedNode = "";

  /** Notes what {@code event} has. */
  public void add(RecordedEvent event) {
    switch (event) {
      case RecordedEvent.Started started -> servedNode = started.node();
      case RecordedEvent.State state -> {
        newest
            .nodes()
            .diff(
                state.cluster().nodes(),
                (name, old, now) -> {
                  if (now != null) {
                    nodes.put(name, now);
                  }
                });
        newest
            .services()
            .diff(
                state.cluster().services(),
                (name, old, now) -> {
                  if (now != null) {
                    services.add(name);
                  }
                });
        newest = state.cluster();
      }
      case RecordedEvent.Synced _, RecordedEvent.Repaired _, RecordedEvent.Problem _ -> {}
    }
  }

  /** The node that the last process served; empty where it served none or all. */
  public String servedNode() {
    return servedNode;
  }

  /** A cluster with every Node there ever was, to choose one from. */
  public ClusterImage withEveryNode() {
    ClusterImage all = ClusterImage.EMPTY;
    for (Node node : nodes.values()) {
      all = all.with(node);
    }
    return all;
  }

  /** Every service there ever was. */
  public Set<NamespacedName> services() {
    return services;
  }
}
