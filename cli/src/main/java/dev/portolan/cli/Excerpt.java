package dev.portolan.cli;

import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a person wants to see of a node's image. */
record Excerpt(long revision, NodeFacts facts, List<NodeService> services) {
  /** The services of {@code namespace}, or all of them. */
  static Excerpt of(NodeImage image, Optional<String> namespace) {
    List<NodeService> services = new ArrayList<>();
    for (NodeService service : image.services()) {
      if (namespace.isEmpty() || service.name().namespace().equals(namespace.get())) {
        services.add(service);
      }
    }
    return new Excerpt(image.revision(), image.facts(), services);
  }

  /** What of {@code delta} belongs into an excerpt. */
  static NodeDelta of(NodeDelta delta, Optional<String> namespace) {
    return namespace.isEmpty()
        ? delta
        : new NodeDelta(
            delta.fromRevision(),
            delta.toRevision(),
            delta.facts(),
            delta.set().stream()
                .filter(service -> service.name().namespace().equals(namespace.get()))
                .toList(),
            delta.removed().stream()
                .filter(name -> name.namespace().equals(namespace.get()))
                .toList(),
            delta.triggers());
  }
}
