package dev.portolan.terminal.view;

import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a person wants to see of a node's image. */
public record Excerpt(long revision, NodeFacts facts, List<NodeService> services) {
  /** The services of {@code namespace}, or all of them. */
  public static Excerpt of(NodeImage image, Optional<String> namespace) {
    List<NodeService> services = new ArrayList<>();
    for (NodeService service : image.services()) {
      if (namespace.isEmpty() || service.name().namespace().equals(namespace.get())) {
        services.add(service);
      }
    }
    return new Excerpt(image.revision(), image.facts(), services);
  }

  /** What of {@code change} belongs into an excerpt. */
  static List<ServiceChange> of(NodeChange change, Optional<String> namespace) {
    return namespace.isEmpty()
        ? change.services()
        : change.services().stream()
            .filter(service -> service.name().namespace().equals(namespace.get()))
            .toList();
  }
}
