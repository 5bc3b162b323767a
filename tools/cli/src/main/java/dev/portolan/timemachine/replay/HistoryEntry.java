package dev.portolan.timemachine.replay;

import dev.portolan.compare.FieldChange;
import dev.portolan.core.node.ServiceChange;
import java.time.Instant;
import java.util.List;

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
    int nodes,
    List<Group> groups,
    List<FieldChange> causes) {
  /** Nodes for which the same changed. */
  public record Group(ServiceChange change, List<String> nodes) {
    public Group {
      nodes = List.copyOf(nodes);
    }
  }

  public HistoryEntry {
    groups = List.copyOf(groups);
    causes = List.copyOf(causes);
  }
}
