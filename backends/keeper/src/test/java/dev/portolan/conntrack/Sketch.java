package dev.portolan.conntrack;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Draws images of a node in few words: addresses as text, endpoints as {@code address:port}. */
final class Sketch {
  private final List<NodeService> services = new ArrayList<>();
  private NodePortAddresses nodePorts = NodePortAddresses.ALL;
  private long revision = 1;

  /** Adds a service of one port. */
  Sketch service(
      String name,
      Protocol protocol,
      String clusterIp,
      int port,
      int nodePort,
      List<String> externalIps,
      String... endpoints) {
    NamespacedName full = new NamespacedName("lab", name);
    List<Endpoint> serving = new ArrayList<>();
    for (String endpoint : endpoints) {
      int colon = endpoint.lastIndexOf(':');
      String address = endpoint.substring(0, colon).replaceAll("[\\[\\]]", "");
      serving.add(
          new Endpoint(Ip.of(address), Integer.parseInt(endpoint.substring(colon + 1)), "node"));
    }
    Verdict verdict = serving.isEmpty() ? Verdict.REJECT : Verdict.FORWARD;
    ServicePort only =
        new ServicePort(
            new ServicePortName(full, "p", protocol),
            ServiceAddress.list(
                Ip.of(clusterIp),
                port,
                externalIps.stream().map(Ip::of).toList(),
                List.of(),
                nodePort),
            List.of(),
            0,
            Routes.of(Pool.CLUSTER, verdict, Pool.CLUSTER, verdict, verdict),
            serving,
            List.of(),
            serving);
    services.add(new NodeService(full, ServiceType.CLUSTER_IP, 0, 0, List.of(only)));
    return this;
  }

  /** Adds a UDP service at a cluster IP, port 53. */
  Sketch udp(String name, String clusterIp, String... endpoints) {
    return service(name, Protocol.UDP, clusterIp, 53, 0, List.of(), endpoints);
  }

  /** Says where nodePorts are served; without this, on all addresses. */
  Sketch nodePorts(NodePortAddresses addresses) {
    nodePorts = addresses;
    return this;
  }

  /** The image has this revision. */
  Sketch revision(long number) {
    revision = number;
    return this;
  }

  /** The image. */
  NodeImage image() {
    PersistentMap<NamespacedName, NodeService> map = PersistentMap.empty();
    for (NodeService service : services) {
      map = map.with(service.name(), service);
    }
    NodeFacts facts =
        new NodeFacts(
            "node",
            true,
            Set.of(IpFamily.values()),
            List.of(),
            List.of(),
            "",
            List.of(),
            nodePorts,
            nodePorts,
            new LocalDetector.Undetected(),
            new LocalDetector.Undetected(),
            List.of(),
            true,
            false);
    return NodeImage.of(revision, facts, map);
  }
}
