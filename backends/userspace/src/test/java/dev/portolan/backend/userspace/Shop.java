package dev.portolan.backend.userspace;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
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
import java.util.List;

/** A node of one service, as the tests of this package want it. */
final class Shop {
  private static final NamespacedName NAME = new NamespacedName("default", "web");
  private static final Ip NODE = Ip.of("192.0.2.1");

  private Shop() {}

  /** The service {@code default/web} with port 8080 of TCP and these endpoints. */
  static Web web(Endpoint... endpoints) {
    return new Web(
        Protocol.TCP,
        Ip.of("10.96.0.10"),
        0,
        Balancing.RANDOM,
        endpoints.length == 0 ? Verdict.REJECT : Verdict.FORWARD,
        List.of(),
        List.of(endpoints));
  }

  /** What differs between tests. */
  record Web(
      Protocol protocol,
      Ip address,
      int affinity,
      Balancing balancing,
      Verdict verdict,
      List<Cidr> ranges,
      List<Endpoint> endpoints) {
    Web of(Protocol other) {
      return new Web(other, address, affinity, balancing, verdict, ranges, endpoints);
    }

    Web at(String other) {
      return new Web(protocol, Ip.of(other), affinity, balancing, verdict, ranges, endpoints);
    }

    Web staying(int seconds) {
      return new Web(protocol, address, seconds, balancing, verdict, ranges, endpoints);
    }

    Web with(Balancing other) {
      return new Web(protocol, address, affinity, other, verdict, ranges, endpoints);
    }

    Web with(Verdict other) {
      return new Web(protocol, address, affinity, balancing, other, ranges, endpoints);
    }

    Web onlyFrom(String range) {
      return new Web(
          protocol, address, affinity, balancing, verdict, List.of(Cidr.of(range)), endpoints);
    }

    /** With a load balancer where there are source ranges. */
    ServicePort port() {
      return new ServicePort(
          new ServicePortName(NAME, "http", protocol),
          ServiceAddress.list(
              address,
              8_080,
              List.of(),
              ranges.isEmpty() ? List.of() : List.of(Ip.of("203.0.113.5")),
              0),
          ranges,
          affinity,
          balancing,
          Routes.of(Pool.CLUSTER, verdict, Pool.CLUSTER, verdict, verdict),
          endpoints,
          List.of(),
          endpoints);
    }

    NodeImage image(long revision) {
      NodeFacts facts =
          new NodeFacts(
              "worker-1",
              true,
              IpFamily.ALL,
              List.of(NODE),
              List.of(NODE),
              "",
              List.of(),
              NodePortAddresses.NONE,
              NodePortAddresses.NONE,
              new LocalDetector.Undetected(),
              new LocalDetector.Undetected(),
              List.of(),
              true,
              false);
      NodeService service = new NodeService(NAME, ServiceType.CLUSTER_IP, 0, 0, List.of(port()));
      return NodeImage.of(
          revision, facts, PersistentMap.<NamespacedName, NodeService>empty().with(NAME, service));
    }
  }
}
