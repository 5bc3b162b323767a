package dev.portolan.conformance;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A backend that programs nothing but its memory, from changes; right as it is, wrong below. */
class Memory implements Backend {
  private volatile NodeImage held = NodeImage.of(0, NodeFacts.unknown(""), PersistentMap.empty());

  @Override
  public void sync(NodeChange change) {
    PersistentMap<NamespacedName, NodeService> services =
        change.before().isSynced() ? held.services().flat() : beforeEverything();
    for (NodeService service : set(change)) {
      services = services.with(service.name(), service);
    }
    for (NodeService service : removed(change)) {
      services = services.without(service.name());
    }
    NodeFacts facts = change.factsChanged() ? change.after().facts() : held.facts();
    held = NodeImage.of(change.after().revision(), facts, services);
  }

  NodeImage held() {
    return held;
  }

  PersistentMap<NamespacedName, NodeService> beforeEverything() {
    return PersistentMap.empty();
  }

  List<NodeService> set(NodeChange change) {
    return change.set();
  }

  List<NodeService> removed(NodeChange change) {
    return change.removed();
  }

  @Override
  public void cleanup() {}

  /** Removes nothing. */
  static final class ForgetsDeletes extends Memory {
    @Override
    List<NodeService> removed(NodeChange change) {
      return List.of();
    }
  }

  /** Leaves the last services of a change for later, which never comes. */
  static final class AppliesHalf extends Memory {
    @Override
    List<NodeService> set(NodeChange change) {
      return change.set().subList(0, (change.set().size() + 1) / 2);
    }
  }

  /** Takes a whole state for an addition to what is there. */
  static final class KeepsLeftovers extends Memory {
    @Override
    PersistentMap<NamespacedName, NodeService> beforeEverything() {
      return held().services().flat();
    }
  }

  /** Returns first and works then. */
  static final class AnswersTooEarly extends Memory {
    @Override
    public void sync(NodeChange change) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              TimeUnit.SECONDS.sleep(1);
              super.sync(change);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }

  /** Treats Local as Cluster. */
  static final class IgnoresLocal extends Memory {
    @Override
    List<NodeService> set(NodeChange change) {
      return change.set().stream().map(IgnoresLocal::clusterWide).toList();
    }

    private static NodeService clusterWide(NodeService service) {
      return new NodeService(
          service.name(),
          service.type(),
          service.healthCheckNodePort(),
          service.localReadyEndpoints(),
          service.ports().stream().map(IgnoresLocal::clusterWide).toList());
    }

    private static ServicePort clusterWide(ServicePort port) {
      return new ServicePort(
          port.name(),
          port.addresses(),
          port.sourceRanges(),
          port.affinitySeconds(),
          port.balancing(),
          port.routes(),
          port.cluster(),
          port.local().isEmpty() ? List.of() : port.cluster(),
          port.serving());
    }
  }

  /** Crashes at the first removal. */
  static final class Crashes extends Memory {
    @Override
    List<NodeService> removed(NodeChange change) {
      if (!change.removed().isEmpty()) {
        throw new IllegalStateException("it cannot remove");
      }
      return change.removed();
    }
  }

  /** Takes nothing of any size. */
  static final class Refuses extends Memory {
    @Override
    public void sync(NodeChange change) {
      if (change.after().services().size() > 100) {
        throw new BackendException("the table is full");
      }
      super.sync(change);
    }
  }
}
