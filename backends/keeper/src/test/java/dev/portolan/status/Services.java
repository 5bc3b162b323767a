package dev.portolan.status;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.core.node.NodeService;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Images of a node whose services have health-check nodePorts. */
final class Services {
  private Services() {}

  /** An image in which nodePorts are served on 127.0.0.1. */
  static NodeImage image(long revision, NodeService... services) {
    return image(revision, facts(Set.of(IpFamily.IPV4), on("127.0.0.1/32"), on()), services);
  }

  static NodeImage image(long revision, NodeFacts facts, NodeService... services) {
    PersistentMap<NamespacedName, NodeService> map = PersistentMap.empty();
    for (NodeService service : services) {
      map = map.with(service.name(), service);
    }
    return NodeImage.of(revision, facts, map);
  }

  static NodeService service(String name, int port, int endpoints) {
    return new NodeService(
        new NamespacedName("default", name), ServiceType.LOAD_BALANCER, port, endpoints, List.of());
  }

  static NodePortAddresses on(String... ranges) {
    return new NodePortAddresses(false, Stream.of(ranges).map(Cidr::of).toList());
  }

  static NodeFacts facts(Set<IpFamily> families, NodePortAddresses ipv4, NodePortAddresses ipv6) {
    return new NodeFacts(
        "here",
        true,
        families,
        List.of(),
        List.of(),
        "",
        List.of(),
        ipv4,
        ipv6,
        new LocalDetector.Undetected(),
        new LocalDetector.Undetected(),
        List.of(),
        true,
        false);
  }
}
