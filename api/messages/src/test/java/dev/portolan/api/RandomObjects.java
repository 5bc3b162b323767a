package dev.portolan.api;

import dev.portolan.brain.Brain;
import dev.portolan.brain.FamilyPolicy;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Random objects of a cluster, good and bad ones, all from one number. */
final class RandomObjects {
  static final List<String> NODES = List.of("n1", "n2", "n3");

  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");
  private static final List<String> PORTS = List.of("", "http", "dns", "x-1");

  private final Random random;

  RandomObjects(long seed) {
    random = new Random(seed * 0x9e3779b97f4a7c15L);
  }

  /** What a brain decides for a node of a random cluster. */
  NodeImage image(String node) {
    Brain brain = new Brain(warning -> {});
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = 0; i < 8; i++) {
      delta.set(service());
    }
    for (int i = 0; i < 24; i++) {
      delta.set(slice());
    }
    for (int i = 0; i < 3; i++) {
      delta.set(node());
    }
    delta.set(serviceCidr());
    brain.apply(delta.build());
    try (NodeView view = brain.open(node, settings())) {
      return view.image();
    }
  }

  Service service() {
    Service.Builder service =
        Service.named("ns", pick(NAMES))
            .type(
                oneIn(9)
                    ? ServiceType.EXTERNAL_NAME
                    : pick(List.of(ServiceType.values()).subList(0, 3)))
            .clusterIps(clusterIps())
            .ipFamilies(oneIn(4) ? list(2, () -> pick(List.of(IpFamily.values()))) : List.of())
            .ports(ports())
            .externalIps(
                list(2, () -> pick(List.of("192.0.2.1", "192.0.2.02", "2001:db8::1", "?"))))
            .ingress(
                list(
                    2,
                    () ->
                        new Service.Ingress(
                            pick(List.of("198.51.100.1", "2001:db8:1::1", "")), !oneIn(3))))
            .sourceRanges(
                list(2, () -> pick(List.of("10.0.0.0/8", " 10.1.0.0/16", "fd00::/8", "::/0", "!"))))
            .internalTrafficPolicy(policy())
            .externalTrafficPolicy(policy())
            .healthCheckNodePort(oneIn(2) ? 31000 + random.nextInt(9) : 0)
            .proxyName(oneIn(12) ? Optional.of("other") : Optional.empty())
            .metadata(
                oneIn(3)
                    ? ServiceMetadata.of(
                        Map.of("app", "x"),
                        Map.of("note", "y", ServiceAnnotation.PRESERVE_DESTINATION.key(), "true"))
                    : ServiceMetadata.NONE)
            .labelledHeadless(oneIn(12))
            .created(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
    if (oneIn(3)) {
      service.affinitySeconds(random.nextInt(4) * 50);
    }
    if (oneIn(4)) {
      service.metadata(
          ServiceMetadata.of(
              Map.of(),
              Map.of(
                  ServiceAnnotation.BALANCING.key(),
                  pick(List.of("random", "maglev", "maglev-address")),
                  ServiceAnnotation.WEIGHTS.key(),
                  "node:" + pick(NODES) + "=" + random.nextInt(1, 100))));
    }
    return service.build();
  }

  private List<String> clusterIps() {
    if (oneIn(10)) {
      return pick(List.of(List.of(), List.of("None"), List.of("")));
    }
    List<String> ips = new ArrayList<>();
    if (!oneIn(4)) {
      ips.add("10.96.0." + random.nextInt(1, 30));
    }
    if (!oneIn(3)) {
      ips.add("fd96::" + Integer.toHexString(random.nextInt(1, 30)));
    }
    return ips;
  }

  private List<Service.Port> ports() {
    List<Service.Port> ports = new ArrayList<>();
    for (String name : PORTS) {
      if (oneIn(2)) {
        ports.add(
            new Service.Port(
                name,
                protocol(),
                oneIn(25) ? 70000 : 80 + ports.size(),
                oneIn(2) ? 30000 + random.nextInt(20) : 0,
                oneIn(2) ? 8080 : 0));
      }
    }
    return ports;
  }

  EndpointSlice slice() {
    AddressType type =
        oneIn(12) ? AddressType.FQDN : pick(List.of(AddressType.IPV4, AddressType.IPV6));
    List<EndpointSlice.Port> ports = new ArrayList<>();
    for (String name : PORTS) {
      for (Protocol protocol : Protocol.values()) {
        if (!oneIn(4)) {
          ports.add(
              new EndpointSlice.Port(name, protocol, oneIn(9) ? 0 : 8080 + random.nextInt(2)));
        }
      }
    }
    return new EndpointSlice(
        new NamespacedName("ns", "s" + random.nextInt(30)),
        oneIn(9) ? "" : pick(NAMES),
        type,
        ports,
        list(6, () -> member(type)),
        oneIn(9),
        oneIn(2) ? Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)) : null);
  }

  private EndpointSlice.Member member(AddressType type) {
    String prefix = type == AddressType.IPV6 ? "fd10::" : "10.244.0.";
    boolean hinted = oneIn(3);
    return new EndpointSlice.Member(
        oneIn(9)
            ? List.of(pick(List.of("example.org", "127.0.0.1", "")))
            : List.of(prefix + random.nextInt(1, 9), prefix + "9").subList(0, oneIn(4) ? 2 : 1),
        new EndpointSlice.Conditions(!oneIn(4), !oneIn(3), oneIn(3)),
        oneIn(6) ? "" : pick(NODES),
        pick(List.of("", "za", "zb")),
        hinted ? List.of(pick(List.of("za", "zb"))) : List.of(),
        hinted && oneIn(2) ? List.of(pick(NODES)) : List.of(),
        oneIn(2) ? "Pod ns/p" + random.nextInt(9) : "");
  }

  Node node() {
    return new Node(
        pick(NODES),
        list(2, () -> pick(List.of("172.18.0.2", "fd18::2", "host"))),
        list(2, () -> pick(List.of("203.0.113.7", "2001:db8:2::7"))),
        pick(List.of("", "za", "zb")),
        list(2, () -> pick(List.of("10.244.0.0/24", "fd10::/64", "junk"))),
        oneIn(4));
  }

  ServiceCidr serviceCidr() {
    return new ServiceCidr(
        pick(NAMES), list(2, () -> pick(List.of("10.96.0.0/16", "fd96::/112", "x"))));
  }

  private NodeSettings settings() {
    return new NodeSettings(
        pick(List.of(LocalMode.values())),
        list(2, () -> pick(List.of(Cidr.of("10.244.0.0/16"), Cidr.of("fd10::/48")))),
        pick(List.of("cni0", "veth", "")),
        pick(
            List.of(
                NodePortChoice.PRIMARY,
                NodePortChoice.parse(List.of("all")),
                NodePortChoice.parse(List.of("172.18.0.0/16", "localhost")))),
        pick(List.of(IpFamily.ALL, Set.of(IpFamily.IPV4), Set.of(IpFamily.IPV6))),
        pick(List.of(FamilyPolicy.values())),
        list(2, () -> pick(List.of(Ip.of("192.168.0.1"), Ip.of("fd19::1")))),
        oneIn(2));
  }

  private TrafficPolicy policy() {
    return oneIn(3) ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }

  private Protocol protocol() {
    return pick(List.of(Protocol.values()));
  }

  private <T> List<T> list(int longest, Supplier<T> element) {
    return Stream.generate(element).limit(random.nextInt(longest + 1)).toList();
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
