package dev.portolan.server.encoding;

import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.TriggerLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What leads from one state of a node to another, as one message that is made once for all nodes
 * that see the same change.
 *
 * <p>Nodes share the layers of their services ({@link NodeServices}). Where nothing that changed in
 * those that are shared is in the node's own layer, the change is the same for each.
 */
public final class SharedChanges {
  /** What a message may have that is made for many; a larger change is made for each client. */
  private static final int MOST_BYTES = 32 << 10;

  /** The newest change, and those that clients are still behind with. */
  private static final int KEPT = 32;

  private static final String NODE = "";
  private static final NodeFacts FACTS = NodeFacts.unknown(NODE);
  private static final java.util.Set<Set> SETS = java.util.Set.of(Set.ServicesSet);

  private final Encodings encodings;

  private final Map<Layers, SharedChange> changes =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Layers, SharedChange> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * A change of services.
   *
   * @param names of the services that differ
   * @param batch the items that lead there; null where they are more than one message has
   */
  public record SharedChange(java.util.Set<NamespacedName> names, @Nullable StreamItem batch) {
    /** Whether nothing differs. */
    public boolean isEmpty() {
      return names.isEmpty();
    }
  }

  /** The layers that nodes share, before and after. */
  private record Layers(NodeServices before, NodeServices after) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Layers layers
          && before.sharesLayersWith(layers.before)
          && after.sharesLayersWith(layers.after);
    }

    /** Of what nearly every change has in it. */
    @Override
    public int hashCode() {
      return System.identityHashCode(before.base()) * 31 + System.identityHashCode(after.base());
    }
  }

  /** SharedChanges of what {@code encodings} has of each service. */
  public SharedChanges(Encodings encodings) {
    this.encodings = encodings;
  }

  /** Whether what a client wants, and gets as {@code sets}, can be sent in this form. */
  public static boolean canSend(java.util.Set<Set> sets) {
    return sets.equals(java.util.Set.of(Set.ServicesSet, Set.NodeFactsSet));
  }

  /** What differs between two states of one node; null where that is more than services. */
  public @Nullable SharedChange between(NodeImage before, NodeImage after) {
    if (!Objects.equals(before.facts(), after.facts()) || !before.isSynced()) {
      return null;
    }
    NodeServices old = before.services();
    NodeServices now = after.services();
    if (old.node().isIdenticalTo(now.node())) {
      SharedChange shared = shared(old, now);
      if (now.node().isEmpty() || shared.names().stream().noneMatch(now.node()::containsKey)) {
        return shared;
      }
    }
    return make(old, now);
  }

  private SharedChange shared(NodeServices old, NodeServices now) {
    synchronized (changes) {
      return changes.computeIfAbsent(
          new Layers(shared(old), shared(now)), layers -> make(layers.before, layers.after));
    }
  }

  private static NodeServices shared(NodeServices services) {
    return services.node().isEmpty()
        ? services
        : new NodeServices(services.base(), services.zone(), PersistentMap.empty());
  }

  private SharedChange make(NodeServices old, NodeServices now) {
    NodeState before = state(old);
    NodeState after = state(now);
    NodeChange change = NodeChange.between(before.snapshot(), after.snapshot());
    java.util.Set<NamespacedName> names = new HashSet<>();
    for (ServiceChange service : change.services()) {
      names.add(service.name());
    }
    List<StreamItem> items = new ArrayList<>();
    NodeChanges.write(encodings, before, after, change, items::add);
    int bytes = items.stream().mapToInt(StreamItem::sizeInBatch).sum();
    return new SharedChange(names, bytes > MOST_BYTES ? null : StreamItem.wholeBatch(items));
  }

  private static NodeState state(NodeServices services) {
    NodeImage image = new NodeImage(1, FACTS, services);
    return new NodeState(NODE, SETS, new NodeSnapshot(image, TriggerLog.Position.START));
  }
}
