package dev.portolan.backend.ebpf;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Cidr;
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
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Images of a node with services that are written down in a line. */
record Sample(List<NodeService> services, boolean masqueradeAll) {
  static final String NODE_IP = "172.18.0.11";
  static final Sample NOTHING = new Sample(List.of(), false);

  /** A service that is being written down. */
  record Draft(
      String name,
      Protocol protocol,
      String ip,
      int port,
      List<Endpoint> endpoints,
      List<Endpoint> serving,
      int affinity,
      Verdict verdict,
      List<Ip> external,
      List<Ip> balancers,
      List<Cidr> ranges,
      int nodePort) {
    /** With these endpoints; without any it rejects. */
    Draft to(String... addresses) {
      List<Endpoint> chosen = Stream.of(addresses).map(Sample::endpoint).sorted().toList();
      return new Draft(
          name,
          protocol,
          ip,
          port,
          chosen,
          chosen,
          affinity,
          chosen.isEmpty() ? Verdict.REJECT : Verdict.FORWARD,
          external,
          balancers,
          ranges,
          nodePort);
    }

    /** With endpoints that only still serve. */
    Draft serving(String... addresses) {
      return new Draft(
          name,
          protocol,
          ip,
          port,
          endpoints,
          Stream.concat(endpoints.stream(), Stream.of(addresses).map(Sample::endpoint))
              .sorted()
              .toList(),
          affinity,
          verdict,
          external,
          balancers,
          ranges,
          nodePort);
    }

    Draft sticky(int seconds) {
      return new Draft(
          name, protocol, ip, port, endpoints, serving, seconds, verdict, external, balancers,
          ranges, nodePort);
    }

    Draft ending(Verdict how) {
      return new Draft(
          name, protocol, ip, port, endpoints, serving, affinity, how, external, balancers, ranges,
          nodePort);
    }

    Draft external(String address, int onNode) {
      return new Draft(
          name,
          protocol,
          ip,
          port,
          endpoints,
          serving,
          affinity,
          verdict,
          List.of(Ip.of(address)),
          balancers,
          ranges,
          onNode);
    }

    Draft balancer(String address, String... allowed) {
      return new Draft(
          name,
          protocol,
          ip,
          port,
          endpoints,
          serving,
          affinity,
          verdict,
          external,
          List.of(Ip.of(address)),
          Stream.of(allowed).map(Cidr::of).toList(),
          nodePort);
    }

    NodeService service() {
      ServicePort one =
          new ServicePort(
              new ServicePortName(new NamespacedName("shop", name), "", protocol),
              ServiceAddress.list(Ip.of(ip), port, external, balancers, nodePort),
              ranges,
              affinity,
              Routes.of(Pool.CLUSTER, verdict, Pool.CLUSTER, verdict, verdict),
              endpoints,
              List.of(),
              serving);
      return new NodeService(
          new NamespacedName("shop", name), ServiceType.CLUSTER_IP, 0, 0, List.of(one));
    }
  }

  static Draft tcp(String name, String ip, int port) {
    return draft(name, Protocol.TCP, ip, port);
  }

  static Draft udp(String name, String ip, int port) {
    return draft(name, Protocol.UDP, ip, port);
  }

  private static Draft draft(String name, Protocol protocol, String ip, int port) {
    return new Draft(
        name,
        protocol,
        ip,
        port,
        List.of(),
        List.of(),
        0,
        Verdict.REJECT,
        List.of(),
        List.of(),
        List.of(),
        0);
  }

  /** {@code 10.0.0.1} with port 8080. */
  static Endpoint endpoint(String address) {
    return new Endpoint(Ip.of(address), 8080, "worker-1");
  }

  static NodeImage image(Draft... drafts) {
    return NOTHING.with(drafts).image(1);
  }

  Sample with(Draft... drafts) {
    return new Sample(
        Stream.concat(services.stream(), Stream.of(drafts).map(Draft::service)).toList(),
        masqueradeAll);
  }

  NodeImage image(long revision) {
    PersistentMap<NamespacedName, NodeService> all = PersistentMap.empty();
    for (NodeService service : services) {
      all = all.with(service.name(), service);
    }
    return NodeImage.of(revision, facts(), all);
  }

  private NodeFacts facts() {
    return new NodeFacts(
        "worker-1",
        true,
        Set.of(IpFamily.values()),
        List.of(Ip.of(NODE_IP)),
        List.of(Ip.of(NODE_IP)),
        "",
        List.of(),
        NodePortAddresses.ALL,
        NodePortAddresses.ALL,
        new LocalDetector.Undetected(),
        new LocalDetector.Undetected(),
        List.of(),
        true,
        masqueradeAll);
  }
}
