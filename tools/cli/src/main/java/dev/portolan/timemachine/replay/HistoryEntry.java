package dev.portolan.timemachine.replay;

import dev.portolan.compare.FieldChange;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.text.Tree;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recorded state that decides something else about a service than the one before.
 *
 * @param first whether it is the first state of the recording
 * @param restarted whether a process began with it, so that it may have happened some time before
 * @param nodes how many nodes were looked at
 * @param groups what differs, and on which of the nodes
 */
record HistoryEntry(
    Instant time,
    long revision,
    boolean first,
    boolean restarted,
    @Tree.Named("nodesLookedAt") int nodes,
    List<Group> groups,
    List<FieldChange> causes) {
  /** Nodes for which the same changed. */
  public record Group(ServiceChange change, List<String> nodes) implements Tree.Shown {
    public Group {
      nodes = List.copyOf(nodes);
    }

    private record Sides(List<String> nodes, List<NodeService> before, List<NodeService> after) {}

    /** Each side is a list with the service, or without any. */
    @Override
    public Object shown() {
      return new Sides(nodes, list(change.before()), list(change.after()));
    }

    private static List<NodeService> list(@Nullable NodeService service) {
      return service == null ? List.of() : List.of(service);
    }
  }

  public HistoryEntry {
    groups = List.copyOf(groups);
    causes = List.copyOf(causes);
  }
}
