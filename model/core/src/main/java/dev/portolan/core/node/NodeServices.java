package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All services of one node, laid in three layers so that many nodes share nearly everything.
 *
 * <p>{@code base} has every service as a node without endpoints of its own, in no zone, sees it.
 * {@code zone} has those that differ for all nodes of this node's zone, {@code node} those that
 * differ for this node alone. The upper layer wins; a key of an upper layer is always in the base
 * as well.
 *
 * <p>Equality means the services, whatever the layers.
 */
public record NodeServices(
    PersistentMap<NamespacedName, NodeService> base,
    PersistentMap<NamespacedName, NodeService> zone,
    PersistentMap<NamespacedName, NodeService> node)
    implements Iterable<NodeService> {
  /** No services. */
  public static final NodeServices EMPTY = of(PersistentMap.empty());

  /** Services in one layer. */
  public static NodeServices of(PersistentMap<NamespacedName, NodeService> services) {
    return new NodeServices(services, PersistentMap.empty(), PersistentMap.empty());
  }

  /** The service under {@code name}, or null. */
  public @Nullable NodeService get(NamespacedName name) {
    NodeService found = above(name);
    return found == null ? base.get(name) : found;
  }

  /** What the layers above the base have under {@code name}, or null. */
  private @Nullable NodeService above(NamespacedName name) {
    NodeService found = node.get(name);
    return found == null ? zone.get(name) : found;
  }

  /** The same services in one layer. */
  public PersistentMap<NamespacedName, NodeService> flat() {
    PersistentMap<NamespacedName, NodeService> flat = PersistentMap.empty();
    for (NodeService service : this) {
      flat = flat.with(service.name(), service);
    }
    return flat;
  }

  /** Whether the layers below the node's own are the very same. */
  public boolean sharesLayersWith(NodeServices other) {
    return base.isIdenticalTo(other.base) && zone.isIdenticalTo(other.zone);
  }

  /** How many services there are. */
  public int size() {
    return base.size();
  }

  /** The services in the order of their names. */
  @Override
  public Iterator<NodeService> iterator() {
    Iterator<Map.Entry<NamespacedName, NodeService>> names = base.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return names.hasNext();
      }

      @Override
      public NodeService next() {
        Map.Entry<NamespacedName, NodeService> entry = names.next();
        NodeService seen = above(entry.getKey());
        return seen == null ? entry.getValue() : seen;
      }
    };
  }

  /** Tells {@code visitor} each service that differs between these and {@code newer}, by name. */
  public void diff(
      NodeServices newer,
      PersistentMap.DiffVisitor<? super NamespacedName, ? super NodeService> visitor) {
    Consumer<NamespacedName> compare =
        name -> {
          NodeService before = get(name);
          NodeService after = newer.get(name);
          if (before == null ? after != null : !before.equals(after)) {
            visitor.visit(name, before, after);
          }
        };
    TreeSet<NamespacedName> above = new TreeSet<>();
    zone.diff(newer.zone, (name, before, after) -> above.add(name));
    node.diff(newer.node, (name, before, after) -> above.add(name));
    base.diff(
        newer.base,
        (name, before, after) -> {
          while (!above.isEmpty() && above.getFirst().compareTo(name) < 0) {
            compare.accept(above.removeFirst());
          }
          above.remove(name);
          compare.accept(name);
        });
    above.forEach(compare);
  }

  /** Whether both have the same services, in whatever layers. */
  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof NodeServices services) || services.size() != size()) {
      return false;
    }
    boolean[] same = {true};
    diff(services, (name, before, after) -> same[0] = false);
    return same[0];
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (NodeService service : this) {
      hash = 31 * hash + service.hashCode();
    }
    return hash;
  }
}
