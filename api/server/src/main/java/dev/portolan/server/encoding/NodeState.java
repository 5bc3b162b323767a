package dev.portolan.server.encoding;

import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * What a client of a local stream holds, or should hold.
 *
 * @param node from whose point of view
 * @param sets what of the image
 * @param objects the cluster's services, for what is written on them; empty where that is not asked
 */
public record NodeState(
    String node,
    java.util.Set<Set> sets,
    NodeSnapshot snapshot,
    PersistentMap<NamespacedName, Service> objects) {
  /** A client that does not look at what is written on services. */
  public NodeState(String node, java.util.Set<Set> sets, NodeSnapshot snapshot) {
    this(node, sets, snapshot, PersistentMap.empty());
  }

  /** A client that holds nothing. */
  public static NodeState nothing() {
    return new NodeState("", java.util.Set.of(), NodeSnapshot.unsynced(""));
  }

  /** What the service {@code name} is, if the client holds what is written on it. */
  @Nullable Service written(NamespacedName name) {
    Service service = snapshot.image().service(name) == null ? null : objects.get(name);
    return service == null || service.metadata().isEmpty() ? null : service;
  }

  /** The revision of the image. */
  public long revision() {
    return snapshot.image().revision();
  }
}
