package dev.portolan.timemachine.replay;

import dev.portolan.compare.FieldChange;
import dev.portolan.compare.ObjectDiff;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.ServiceChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A recorded state that decides something else for a node than the one before, or the first one of
 * a process.
 *
 * @param change its images have the revisions that were recorded
 * @param objects what differs in the cluster
 * @param beginning whether a process began with it
 */
record NodeRevision(Instant time, NodeChange change, ObjectDiff objects, boolean beginning) {
  /** The number that was recorded. */
  public long revision() {
    return change.after().revision();
  }

  /** Whether nothing is known of what was before. */
  public boolean isFirst() {
    return !change.before().isSynced();
  }

  /** The fields that can have changed what is decided about {@code services}, or the node. */
  public List<FieldChange> causes(List<ServiceChange> services, boolean ofNode) {
    Set<FieldChange> causes = new LinkedHashSet<>();
    if (isFirst()) {
      return List.of();
    }
    if (ofNode && change.factsChanged()) {
      ObjectRef node = ObjectRef.node(change.after().facts().name());
      objects.nodes().stream().filter(field -> field.object().equals(node)).forEach(causes::add);
      causes.addAll(objects.serviceCidrs());
    }
    services.forEach(service -> causes.addAll(objects.causes(service.name())));
    return new ArrayList<>(causes);
  }
}
