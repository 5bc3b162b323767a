package dev.portolan.terminal.view;

import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.text.Tree;
import java.util.ArrayList;
import java.util.List;

/** What a person wants to see of a node's image. */
@Tree.Fields("revision facts")
public record Excerpt(
    long revision, @Tree.Named("node") NodeFacts facts, List<NodeService> services) {
  /** The services that {@code filter} lets through. */
  public static Excerpt of(NodeImage image, ServiceFilter filter) {
    List<NodeService> services = new ArrayList<>();
    for (NodeService service : image.services()) {
      if (filter.matches(service.name())) {
        services.add(service);
      }
    }
    return new Excerpt(image.revision(), image.facts(), services);
  }

  /** What of {@code change} belongs into an excerpt. */
  public static List<ServiceChange> of(NodeChange change, ServiceFilter filter) {
    return filter.equals(ServiceFilter.ALL)
        ? change.services()
        : change.services().stream().filter(service -> filter.matches(service.name())).toList();
  }
}
