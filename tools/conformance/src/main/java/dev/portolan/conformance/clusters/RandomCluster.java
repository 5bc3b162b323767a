package dev.portolan.conformance.clusters;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Random objects from a small world, so that they meet: few names, few addresses, few nodes. Each
 * event comes from one number, which makes a failing list of events short when it is shrunk.
 */
public final class RandomCluster {
  /** The names of the nodes of that world. */
  public static final List<String> NODES = List.of("n1", "n2", "n3", "n4");

  private static final List<String> ZONES = List.of("", "za", "zb");
  private static final List<String> SERVICES = List.of("a", "b", "c", "d", "e");

  private final Random random;

  private RandomCluster(long seed) {
    random = new Random(seed * 0x9e3779b97f4a7c15L);
  }

  /** One transaction: mostly one object set, sometimes removed, sometimes several at once. */
  public static ClusterDelta event(long seed) {
    RandomCluster cluster = new RandomCluster(seed);
    ClusterDelta.Builder delta = ClusterDelta.builder();
    int objects = cluster.oneIn(4) ? 1 + cluster.random.nextInt(3) : 1;
    for (int i = 0; i < objects; i++) {
      cluster.change(delta);
    }
    return delta.build();
  }

  private void change(ClusterDelta.Builder delta) {
    boolean remove = oneIn(4);
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> {
        if (remove) {
          delta.removeService(serviceName());
        } else {
          delta.set(service());
        }
      }
      case 3, 4, 5, 6, 7 -> {
        if (remove) {
          delta.removeSlice(sliceName());
        } else {
          delta.set(slice());
        }
      }
      case 8 -> {
        if (remove) {
          delta.removeNode(pick(NODES));
        } else {
          delta.set(node());
        }
      }
      default -> {
        if (remove) {
          delta.removeServiceCidr("cidr" + random.nextInt(2));
        } else {
          delta.set(
              new ServiceCidr(
                  "cidr" + random.nextInt(2),
                  List.of(pick(List.of("10.96.0.0/16", "fd96::/112", "x")))));
        }
      }
    }
  }

  private Service service() {
    List<String> ips = new ArrayList<>();
    List<IpFamily> families = new ArrayList<>();
    if (!oneIn(8)) {
      ips.add("10.96.0." + (1 + random.nextInt(6)));
      families.add(IpFamily.IPV4);
    }
    if (oneIn(2)) {
      ips.add("fd96::" + (1 + random.nextInt(6)));
      families.add(IpFamily.IPV6);
    }
    if (oneIn(12)) {
      ips = List.of("None");
      families = List.of();
    }
    List<Service.Port> ports = new ArrayList<>();
    for (String name : List.of("http", "dns")) {
      if (!oneIn(4)) {
        int nodePort = oneIn(2) ? 30000 + random.nextInt(4) : 0;
        ports.add(
            new Service.Port(
                name, oneIn(3) ? Protocol.UDP : Protocol.TCP, 80 + random.nextInt(2), nodePort));
      }
    }
    NamespacedName name = serviceName();
    Service.Builder service =
        Service.named(name.namespace(), name.name())
            .type(pick(List.of(ServiceType.values())))
            .clusterIps(ips)
            .ipFamilies(oneIn(2) ? families : List.of())
            .ports(ports)
            .internalTrafficPolicy(oneIn(3) ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER)
            .externalTrafficPolicy(oneIn(2) ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER)
            .healthCheckNodePort(oneIn(3) ? 32000 : 0)
            .proxyName(oneIn(15) ? Optional.of("other") : Optional.empty())
            .labelledHeadless(oneIn(15))
            .created(Instant.ofEpochSecond(random.nextInt(3)));
    if (oneIn(3)) {
      service.externalIps(
          List.of(pick(List.of("10.96.0.1", "192.0.2.1", "192.0.2.2", "2001:db8::9", "bad"))));
    }
    if (oneIn(3)) {
      service.ingress(
          List.of(
              new Service.Ingress(
                  pick(List.of("192.0.2.2", "192.0.2.3", "2001:db8::8")), !oneIn(4))));
      service.sourceRanges(
          oneIn(2)
              ? List.of(pick(List.of(" 10.0.0.0/8", "0.0.0.0/0", "2001:db8::/32", "?")))
              : List.of());
    }
    if (oneIn(4)) {
      service.affinitySeconds(random.nextInt(3) * 100);
    }
    if (oneIn(4)) {
      service.metadata(ServiceMetadata.of(Map.of(), balancing()));
    }
    return service.build();
  }

  private Map<String, String> balancing() {
    Map<String, String> annotations = new HashMap<>();
    if (!oneIn(3)) {
      annotations.put(
          ServiceAnnotation.BALANCING.key(),
          pick(List.of("maglev", "maglev", "maglev-address", "random", "fair")));
    }
    if (!oneIn(3)) {
      annotations.put(
          ServiceAnnotation.WEIGHTS.key(),
          "node:" + pick(NODES) + "=" + (1 + random.nextInt(4)) + pick(List.of("", ", zone:a=3")));
    }
    return annotations;
  }

  private EndpointSlice slice() {
    EndpointSlice.AddressType type = pick(List.of(EndpointSlice.AddressType.values()));
    List<EndpointSlice.Port> ports = new ArrayList<>();
    for (String name : List.of("http", "dns")) {
      if (!oneIn(5)) {
        ports.add(
            new EndpointSlice.Port(
                name, oneIn(3) ? Protocol.UDP : Protocol.TCP, oneIn(9) ? 0 : 8080));
      }
    }
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      members.add(member(type));
    }
    return new EndpointSlice(
        sliceName(),
        oneIn(10) ? "" : pick(SERVICES),
        type,
        ports,
        members,
        oneIn(12),
        oneIn(3) ? Instant.ofEpochSecond(random.nextInt(5)) : null);
  }

  private EndpointSlice.Member member(EndpointSlice.AddressType type) {
    String prefix = type == EndpointSlice.AddressType.IPV6 ? "fd10::" : "10.244.0.";
    String address =
        oneIn(12)
            ? pick(List.of("127.0.0.1", "fe80::1", "zz", "224.0.0.1"))
            : prefix + (1 + random.nextInt(8));
    boolean hinted = oneIn(2);
    return new EndpointSlice.Member(
        oneIn(20) ? List.of() : List.of(address),
        EndpointSlice.Conditions.of(!oneIn(3), oneIn(2) ? null : !oneIn(3), oneIn(3)),
        oneIn(8) ? "" : pick(NODES),
        pick(ZONES),
        hinted ? List.of(pick(ZONES.subList(1, 3))) : List.of(),
        hinted && oneIn(2) ? List.of(pick(NODES)) : List.of(),
        "");
  }

  private Node node() {
    return new Node(
        pick(NODES),
        List.of("172.18.0." + (2 + random.nextInt(3))),
        oneIn(2) ? List.of("2001:db8::5") : List.of(),
        pick(ZONES),
        oneIn(2) ? List.of("10.244.0.0/24") : List.of("junk"),
        oneIn(6));
  }

  private NamespacedName serviceName() {
    return new NamespacedName(oneIn(6) ? "other" : "ns", pick(SERVICES));
  }

  private NamespacedName sliceName() {
    return new NamespacedName(oneIn(6) ? "other" : "ns", "s" + random.nextInt(6));
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
