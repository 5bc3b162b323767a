package dev.portolan.doctor;

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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A node whose services need every kind of rule. */
final class SampleNode {
  private static final String NAME = "doctor";
  private static final int HOUR = 3600;

  private SampleNode() {}

  /** The image; IPv6 is left out where the kernel does not have it. */
  static NodeImage image(Subject subject) {
    Set<IpFamily> families =
        new KernelFiles(subject.namespace()).lines("/proc/thread-self/net/if_inet6").isPresent()
            ? EnumSet.allOf(IpFamily.class)
            : EnumSet.of(IpFamily.IPV4);
    List<ServicePort> plain = new ArrayList<>();
    List<ServicePort> special = new ArrayList<>();
    for (IpFamily family : families) {
      boolean v4 = family == IpFamily.IPV4;
      plain.add(port("plain", v4 ? "192.0.2.1" : "2001:db8::1", List.of(), 0, 30001));
      special.add(
          port(
              "special",
              v4 ? "192.0.2.2" : "2001:db8::2",
              List.of(Cidr.of(v4 ? "198.51.100.0/24" : "2001:db8:1::/48")),
              HOUR,
              30002));
    }
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    services = services.with(name("plain"), service("plain", plain));
    services = services.with(name("special"), service("special", special));
    return NodeImage.of(1, facts(families), services);
  }

  private static NodeFacts facts(Set<IpFamily> families) {
    return new NodeFacts(
        NAME,
        true,
        families,
        List.of(),
        List.of(),
        "",
        List.of(),
        NodePortAddresses.ALL,
        NodePortAddresses.ALL,
        new LocalDetector.SourceRange(Cidr.of("198.51.100.0/25")),
        new LocalDetector.SourceRange(Cidr.of("2001:db8:1:1::/64")),
        List.of(Cidr.of("192.0.2.0/24"), Cidr.of("2001:db8::/112")),
        true,
        false);
  }

  private static NamespacedName name(String service) {
    return new NamespacedName(NAME, service);
  }

  private static NodeService service(String name, List<ServicePort> ports) {
    return new NodeService(name(name), ServiceType.LOAD_BALANCER, 0, 0, ports);
  }

  private static ServicePort port(
      String service, String ip, List<Cidr> ranges, int affinity, int nodePort) {
    Ip address = Ip.of(ip);
    List<Endpoint> endpoints =
        List.of(
            new Endpoint(Ip.of(ip + "0"), 8080, NAME), new Endpoint(Ip.of(ip + "1"), 8080, NAME));
    return new ServicePort(
        new ServicePortName(name(service), "", Protocol.TCP),
        ServiceAddress.list(address, 80, List.of(), List.of(Ip.of(ip + "2")), nodePort),
        ranges,
        affinity,
        Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.LOCAL, Verdict.FORWARD, Verdict.FORWARD),
        endpoints,
        endpoints,
        endpoints);
  }
}
