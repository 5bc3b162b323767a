package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything decided for one node at one moment.
 *
 * @param revision grows with each image of this node that differs from the one before; 0 means that
 *     the cluster is not known yet, and nothing may be programmed
 */
public record NodeImage(long revision, NodeFacts facts, NodeServices services) {
  /** The image of a node before the cluster is known. */
  public static NodeImage unsynced(String node) {
    return new NodeImage(0, NodeFacts.unknown(node), NodeServices.EMPTY);
  }

  /** An image whose services lie in one layer. */
  public static NodeImage of(
      long revision, NodeFacts facts, PersistentMap<NamespacedName, NodeService> services) {
    return new NodeImage(revision, facts, NodeServices.of(services));
  }

  /**
   * The same with only the {@code wanted} services. The ranges of service addresses are left out,
   * because an address in them without a service here may belong to one that was left out.
   */
  public NodeImage only(Predicate<NodeService> wanted) {
    PersistentMap<NamespacedName, NodeService> some = PersistentMap.empty();
    for (NodeService service : services) {
      some = wanted.test(service) ? some.with(service.name(), service) : some;
    }
    return of(revision, facts.withoutServiceCidrs(), some);
  }

  /** The service under {@code name}, or null. */
  public @Nullable NodeService service(NamespacedName name) {
    return services.get(name);
  }

  /** Whether the cluster was fully known when this image was made. */
  public boolean isSynced() {
    return revision > 0;
  }

  /** Whether both images decide the same, whatever their revisions. */
  public boolean sameAs(NodeImage other) {
    return facts.equals(other.facts) && services.equals(other.services);
  }
}
