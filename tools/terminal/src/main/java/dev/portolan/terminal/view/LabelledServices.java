package dev.portolan.terminal.view;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.terminal.query.LabelSelector;

/** Hands on only services with the labels that are meant: one whose labels change comes or goes. */
public final class LabelledServices implements Backend {
  private final LabelSelector wanted;
  private final Backend backend;
  private NodeImage handed = NodeImage.unsynced("");

  /** Hands what is left to {@code backend}. */
  public LabelledServices(LabelSelector wanted, Backend backend) {
    this.wanted = wanted;
    this.backend = backend;
  }

  /** What of {@code image} has the labels; its services come with theirs. */
  public static NodeImage of(NodeImage image, LabelSelector wanted) {
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    for (NodeService service : image.services()) {
      if (wanted.matches(service.metadata().labels())) {
        services = services.with(service.name(), service);
      }
    }
    return NodeImage.of(image.revision(), image.facts(), services);
  }

  @Override
  public void sync(NodeChange change) {
    NodeImage now = of(change.after(), wanted);
    backend.sync(NodeChange.between(handed, now));
    handed = now;
  }

  @Override
  public void cleanup() {
    backend.cleanup();
  }
}
