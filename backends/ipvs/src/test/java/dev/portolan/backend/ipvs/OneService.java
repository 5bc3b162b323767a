package dev.portolan.backend.ipvs;

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
import java.util.List;
import java.util.Set;

/**
 * The service {@code default/web} on node {@code worker-1}, as a test wants it.
 *
 * @param addresses the cluster IP first
 * @param policy where traffic from outside goes
 * @param cluster endpoints on any node, as {@code address:port}
 * @param local those on this node
 * @param serving those that still serve
 */
record OneService(
    Protocol protocol,
    List<ServiceAddress> addresses,
    int affinity,
    Pool policy,
    List<String> cluster,
    List<String> local,
    List<String> serving) {
  private static final NamespacedName NAME = new NamespacedName("default", "web");
  private static final Ip CLUSTER_IP = Ip.of("10.96.0.10");

  /** A cluster IP with these endpoints, all of which serve. */
  static OneService of(Protocol protocol, String... endpoints) {
    return new OneService(
        protocol,
        ServiceAddress.list(CLUSTER_IP, 80, List.of(), List.of(), 0),
        0,
        Pool.CLUSTER,
        List.of(endpoints),
        List.of(),
        List.of(endpoints));
  }

  /** The same where these endpoints still serve. */
  OneService serving(String... endpoints) {
    return new OneService(
        protocol, addresses, affinity, policy, cluster, local, List.of(endpoints));
  }

  /** The same at these addresses beside the cluster IP. */
  OneService at(List<String> externalIps, List<String> loadBalancerIps, int nodePort) {
    return new OneService(
        protocol,
        ServiceAddress.list(
            CLUSTER_IP,
            80,
            externalIps.stream().map(Ip::of).toList(),
            loadBalancerIps.stream().map(Ip::of).toList(),
            nodePort),
        affinity,
        policy,
        cluster,
        local,
        serving);
  }

  /** The same where traffic from outside goes to these endpoints of this node. */
  OneService onThisNode(String... endpoints) {
    return new OneService(
        protocol, addresses, affinity, Pool.LOCAL, cluster, List.of(endpoints), serving);
  }

  /** The same where a client stays with its endpoint. */
  OneService affinity(int seconds) {
    return new OneService(protocol, addresses, seconds, policy, cluster, local, serving);
  }

  /** The image that holds it alone. */
  NodeImage image(long revision) {
    ServicePort port =
        new ServicePort(
            new ServicePortName(NAME, "http", protocol),
            addresses,
            List.of(),
            affinity,
            Routes.of(
                Pool.CLUSTER,
                verdict(cluster),
                policy,
                verdict(policy == Pool.LOCAL ? local : cluster),
                verdict(cluster)),
            endpoints(cluster),
            endpoints(local),
            endpoints(serving));
    NodeService service = new NodeService(NAME, ServiceType.CLUSTER_IP, 0, 0, List.of(port));
    return NodeImage.of(
        revision, facts(), PersistentMap.<NamespacedName, NodeService>empty().with(NAME, service));
  }

  /** The image without it. */
  static NodeImage none(long revision) {
    return NodeImage.of(revision, facts(), PersistentMap.empty());
  }

  private static Verdict verdict(List<String> endpoints) {
    return endpoints.isEmpty() ? Verdict.DROP : Verdict.FORWARD;
  }

  private static NodeFacts facts() {
    return new NodeFacts(
        "worker-1",
        true,
        Set.of(IpFamily.values()),
        List.of(Ip.of("192.168.0.11")),
        List.of(Ip.of("192.168.0.11")),
        "",
        List.of(),
        NodePortAddresses.ALL,
        NodePortAddresses.ALL,
        new LocalDetector.Undetected(),
        new LocalDetector.Undetected(),
        List.of(),
        true,
        false);
  }

  private static List<Endpoint> endpoints(List<String> texts) {
    return texts.stream()
        .map(text -> {
          int colon = text.lastIndexOf(':');
          return new Endpoint(
              Ip.of(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)), "");
        })
        .toList();
  }
}
