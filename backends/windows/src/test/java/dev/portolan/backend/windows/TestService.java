package dev.portolan.backend.windows;

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
import java.util.Set;

/** A service on node {@code worker-1}, as a test wants it; every method changes it. */
final class TestService {
  static final String NODE = "worker-1";
  static final Ip NODE_IP = Ip.of("192.168.0.11");

  private final NamespacedName name;
  private final Ip clusterIp;
  private Protocol protocol = Protocol.TCP;
  private List<Ip> externalIps = List.of();
  private List<Ip> loadBalancerIps = List.of();
  private int nodePort;
  private int affinity;
  private Balancing balancing = Balancing.RANDOM;
  private Pool internal = Pool.CLUSTER;
  private Pool external = Pool.CLUSTER;
  private List<Endpoint> endpoints = List.of();
  private List<Cidr> ranges = List.of();
  private boolean preserves;
  private int healthCheckNodePort;

  private TestService(String name, String clusterIp) {
    this.name = new NamespacedName("default", name);
    this.clusterIp = Ip.of(clusterIp);
  }

  /** {@code default/web} at 10.96.0.10, port 80. */
  static TestService web() {
    return named("web", "10.96.0.10");
  }

  static TestService named(String name, String clusterIp) {
    return new TestService(name, clusterIp);
  }

  /** Endpoints as {@code address:port}, with {@code @} before the node where it is known. */
  TestService to(String... texts) {
    endpoints = List.of(texts).stream().map(TestService::endpoint).toList();
    return this;
  }

  private static Endpoint endpoint(String text) {
    int at = text.indexOf('@');
    String place = at < 0 ? text : text.substring(0, at);
    int colon = place.lastIndexOf(':');
    return new Endpoint(
        Ip.of(place.substring(0, colon).replaceAll("[\\[\\]]", "")),
        Integer.parseInt(place.substring(colon + 1)),
        at < 0 ? "elsewhere" : text.substring(at + 1));
  }

  TestService udp() {
    protocol = Protocol.UDP;
    return this;
  }

  TestService externalIp(String ip) {
    externalIps = List.of(Ip.of(ip));
    return this;
  }

  TestService loadBalancerIp(String ip) {
    loadBalancerIps = List.of(Ip.of(ip));
    return this;
  }

  TestService nodePort(int port) {
    nodePort = port;
    return this;
  }

  TestService affinity(int seconds) {
    affinity = seconds;
    return this;
  }

  TestService balancing(Balancing wanted) {
    balancing = wanted;
    return this;
  }

  TestService internalLocal() {
    internal = Pool.LOCAL;
    return this;
  }

  TestService externalLocal() {
    external = Pool.LOCAL;
    return this;
  }

  TestService ranges(String cidr) {
    ranges = List.of(Cidr.parse(cidr).orElseThrow());
    return this;
  }

  TestService preservesDestination() {
    preserves = true;
    return this;
  }

  TestService healthCheckNodePort(int port) {
    healthCheckNodePort = port;
    return this;
  }

  ServicePort port() {
    List<Endpoint> local =
        endpoints.stream().filter(endpoint -> endpoint.node().equals(NODE)).toList();
    return new ServicePort(
        new ServicePortName(name, "http", protocol),
        ServiceAddress.list(clusterIp, 80, externalIps, loadBalancerIps, nodePort),
        ranges,
        affinity,
        balancing,
        Routes.of(
            internal,
            verdict(internal == Pool.LOCAL ? local : endpoints),
            external,
            verdict(external == Pool.LOCAL ? local : endpoints),
            verdict(endpoints)),
        endpoints,
        local,
        endpoints);
  }

  private Verdict verdict(List<Endpoint> pool) {
    return !pool.isEmpty() ? Verdict.FORWARD : endpoints.isEmpty() ? Verdict.REJECT : Verdict.DROP;
  }

  NodeService service() {
    return new NodeService(name, ServiceType.LOAD_BALANCER, healthCheckNodePort, 0, List.of(port()))
        .preservingDestination(preserves);
  }

  /** The image of a node with these services. */
  static NodeImage image(long revision, TestService... services) {
    PersistentMap<NamespacedName, NodeService> all = PersistentMap.empty();
    for (TestService service : services) {
      all = all.with(service.name, service.service());
    }
    return NodeImage.of(revision, facts(NODE_IP), all);
  }

  /** What is known of the node with these addresses. */
  static NodeFacts facts(Ip... primary) {
    return new NodeFacts(
        NODE,
        true,
        Set.of(IpFamily.values()),
        List.of(primary),
        List.of(primary),
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
}
