package dev.portolan.conformance;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A backend that programs nothing but its memory, from deltas; right as it is, wrong below. */
class Memory implements Backend {
  private volatile NodeImage held = NodeImage.of(0, NodeFacts.unknown(""), PersistentMap.empty());

  @Override
  public void sync(NodeImage image, NodeDelta delta) {
    PersistentMap<NamespacedName, NodeService> services =
        delta.fromRevision() == 0 ? beforeEverything() : held.services().flat();
    for (NodeService service : set(delta)) {
      services = services.with(service.name(), service);
    }
    for (NamespacedName name : removed(delta)) {
      services = services.without(name);
    }
    held = NodeImage.of(image.revision(), delta.facts().orElse(held.facts()), services);
  }

  NodeImage held() {
    return held;
  }

  PersistentMap<NamespacedName, NodeService> beforeEverything() {
    return PersistentMap.empty();
  }

  List<NodeService> set(NodeDelta delta) {
    return delta.set();
  }

  List<NamespacedName> removed(NodeDelta delta) {
    return delta.removed();
  }

  @Override
  public void cleanup() {}

  /** Removes nothing. */
  static final class ForgetsDeletes extends Memory {
    @Override
    List<NamespacedName> removed(NodeDelta delta) {
      return List.of();
    }
  }

  /** Leaves the last services of a change for later, which never comes. */
  static final class AppliesHalf extends Memory {
    @Override
    List<NodeService> set(NodeDelta delta) {
      return delta.set().subList(0, (delta.set().size() + 1) / 2);
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
    public void sync(NodeImage image, NodeDelta delta) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              TimeUnit.SECONDS.sleep(1);
              super.sync(image, delta);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }

  /** Treats Local as Cluster. */
  static final class IgnoresLocal extends Memory {
    @Override
    List<NodeService> set(NodeDelta delta) {
      return delta.set().stream().map(IgnoresLocal::clusterWide).toList();
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
          port.routes(),
          port.cluster(),
          port.local().isEmpty() ? List.of() : port.cluster(),
          port.serving());
    }
  }

  /** Crashes at the first removal. */
  static final class Crashes extends Memory {
    @Override
    List<NamespacedName> removed(NodeDelta delta) {
      if (!delta.removed().isEmpty()) {
        throw new IllegalStateException("it cannot remove");
      }
      return delta.removed();
    }
  }

  /** Takes nothing of any size. */
  static final class Refuses extends Memory {
    @Override
    public void sync(NodeImage image, NodeDelta delta) {
      if (image.services().size() > 100) {
        throw new BackendException("the table is full");
      }
      super.sync(image, delta);
    }
  }
}
