package dev.portolan.server.encoding;

import dev.portolan.api.ClusterItems;
import dev.portolan.api.EncodedEndpoint;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeService;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what leads from one state of a node to another. What differs is found once, by the {@link
 * NodeChange} between the two.
 *
 * <p>Services are set before their endpoints and removed after them, and old endpoints go before
 * new ones come; so there is never an endpoint without its service, nor one endpoint twice.
 */
public final class NodeChanges {
  private final Encodings encodings;
  private final NodeState before;
  private final NodeState after;
  private final NodeChange change;
  private final Consumer<StreamItem> out;
  private boolean wrote;

  private NodeChanges(
      Encodings encodings,
      NodeState before,
      NodeState after,
      NodeChange change,
      Consumer<StreamItem> out) {
    this.encodings = encodings;
    this.before = before;
    this.after = after;
    this.change = change;
    this.out = out;
  }

  /**
   * Writes what differs to {@code out}; returns whether anything does.
   *
   * @param change what leads from the one image to the other
   */
  public static boolean write(
      Encodings encodings,
      NodeState before,
      NodeState after,
      NodeChange change,
      Consumer<StreamItem> out) {
    NodeChanges changes = new NodeChanges(encodings, before, after, change, out);
    changes.writeFacts();
    List<NodeService> removed = changes.setServices();
    changes.writeMetadata();
    changes.deleteEndpoints();
    changes.setEndpoints();
    for (NodeService service : removed.reversed()) {
      changes.write(encodings.of(service).delete());
    }
    return changes.wrote;
  }

  private void write(StreamItem item) {
    wrote = true;
    out.accept(item);
  }

  private void writeFacts() {
    boolean had = before.sets().contains(Set.NodeFactsSet);
    boolean wanted = after.sets().contains(Set.NodeFactsSet);
    if (had && !(wanted && before.node().equals(after.node()))) {
      write(StreamItem.delete(Set.NodeFactsSet, before.node()));
    }
    if (wanted && !(had && !change.factsChanged())) {
      write(NodeMessages.factsItem(change.after().facts()));
    }
  }

  /** Sets services that are new or different; returns those that are gone. */
  private List<NodeService> setServices() {
    List<NodeService> removed = new ArrayList<>();
    forEachChanged(
        Set.ServicesSet,
        (old, now) -> {
          if (now != null) {
            write(encodings.of(now).set());
          } else if (old != null) {
            removed.add(old);
          }
        });
    return removed;
  }

  /** Sets what is written on services, once they are set; removes it before they are. */
  private void writeMetadata() {
    if (before.objects().isEmpty() && after.objects().isEmpty()) {
      return;
    }
    TreeSet<NamespacedName> names = new TreeSet<>();
    before.objects().diff(after.objects(), (name, old, now) -> names.add(name));
    change.services().forEach(service -> names.add(service.name()));
    for (NamespacedName name : names) {
      Service old = before.written(name);
      Service now = after.written(name);
      if (now == null && old != null) {
        write(ClusterItems.deleteMetadata(name));
      } else if (now != null && !(old != null && old.metadata().equals(now.metadata()))) {
        write(encodings.metadataOf(now));
      }
    }
  }

  private void deleteEndpoints() {
    if (!before.sets().contains(Set.EndpointsSet)) {
      return;
    }
    List<EncodedEndpoint> removed = new ArrayList<>();
    forEachEndpoint((was, is) -> {
      if (was != null && is == null) {
        removed.add(was);
      }
    });
    removed.reversed().forEach(endpoint -> write(endpoint.delete()));
  }

  private void setEndpoints() {
    forEachEndpoint((was, is) -> {
      if (is != null && !(was != null && is.sameAs(was) && sameFromBothNodes(is))) {
        write(is.set(after.node()));
      }
    });
  }

  /** Whether an endpoint that itself is the same also is as local as it was. */
  private boolean sameFromBothNodes(EncodedEndpoint endpoint) {
    return before.node().equals(after.node())
        || endpoint.set(before.node()).equals(endpoint.set(after.node()));
  }

  private interface Pair {
    void visit(@Nullable EncodedEndpoint was, @Nullable EncodedEndpoint is);
  }

  /** Passes each endpoint of the services that changed to {@code pair}, before and after. */
  private void forEachEndpoint(Pair pair) {
    forEachChanged(Set.EndpointsSet, (old, now) -> compare(old, now, pair));
  }

  /** Walks through the endpoints of a service before and after, by their paths. */
  private void compare(@Nullable NodeService before, @Nullable NodeService after, Pair pair) {
    List<EncodedEndpoint> old = before == null ? List.of() : encodings.of(before).endpoints();
    List<EncodedEndpoint> now = after == null ? List.of() : encodings.of(after).endpoints();
    int i = 0;
    int j = 0;
    while (i < old.size() || j < now.size()) {
      int order =
          i == old.size()
              ? 1
              : j == now.size() ? -1 : old.get(i).path().compareTo(now.get(j).path());
      pair.visit(order <= 0 ? old.get(i++) : null, order >= 0 ? now.get(j++) : null);
    }
  }

  /** Passes each service of which {@code set} may differ to {@code visitor}, by name. */
  private void forEachChanged(Set set, Visitor visitor) {
    boolean had = before.sets().contains(set) && change.before().isSynced();
    boolean wanted = after.sets().contains(set);
    if (!had && wanted) {
      // The whole state: nothing has to be collected for it.
      change.after().services().forEach(service -> visitor.visit(null, service));
    } else if (had && !wanted) {
      change.before().services().forEach(service -> visitor.visit(service, null));
    } else if (had && set == Set.EndpointsSet && !before.node().equals(after.node())) {
      // The same service may have other endpoints that are local.
      TreeSet<NamespacedName> names = new TreeSet<>();
      change.before().services().forEach(service -> names.add(service.name()));
      change.after().services().forEach(service -> names.add(service.name()));
      names.forEach(
          name -> visitor.visit(change.before().service(name), change.after().service(name)));
    } else if (had) {
      change.services().forEach(service -> visitor.visit(service.before(), service.after()));
    }
  }

  private interface Visitor {
    void visit(@Nullable NodeService old, @Nullable NodeService now);
  }
}
