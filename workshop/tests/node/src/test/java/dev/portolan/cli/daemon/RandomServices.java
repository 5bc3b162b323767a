package dev.portolan.cli.daemon;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Random services that an API server takes, each with its slices, by number: every number has
 * addresses and ports of its own, and a service may be recreated with other properties.
 */
final class RandomServices {
  private static final List<String> NODES = List.of("node-0", "node-1", "node-2");

  private final Random random;
  private final Set<Integer> present = new HashSet<>();

  RandomServices(long seed) {
    random = new Random(seed);
  }

  /** The addresses of a node, one of each family. */
  static List<String> addresses(int number) {
    return List.of("172.16.0." + number, "fd16::" + number);
  }

  /** A node with an address of each family. */
  static Node node(String name, int number) {
    return new Node(
        name,
        addresses(number),
        List.of(),
        "zone-a",
        List.of("10.128." + number + ".0/24", "fd20:" + number + "::/64"),
        false);
  }

  /** Makes the services with these numbers, or makes them other ones. */
  ClusterDelta create(int from, int to) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = from; i < to; i++) {
      Service service = service(i);
      delta.set(service);
      scale(delta, i);
      present.add(i);
    }
    return delta.build();
  }

  /** Gives {@code scaled} services other endpoints, and removes {@code removed} others. */
  ClusterDelta churn(int scaled, int removed) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    List<Integer> numbers = new ArrayList<>(present);
    Collections.shuffle(numbers, random);
    for (int i : numbers.subList(0, scaled)) {
      scale(delta, i);
    }
    for (int i : numbers.subList(scaled, scaled + removed)) {
      remove(delta, i);
    }
    return delta.build();
  }

  private void remove(ClusterDelta.Builder delta, int i) {
    delta.removeService(name(i));
    for (AddressType type : List.of(AddressType.IPV4, AddressType.IPV6)) {
      delta.removeSlice(sliceName(i, type));
    }
    present.remove(i);
  }

  private static NamespacedName name(int i) {
    return new NamespacedName("team-" + i % 5, "service-" + i);
  }

  private static NamespacedName sliceName(int i, AddressType type) {
    return new NamespacedName(
        "team-" + i % 5, "service-" + i + (type == AddressType.IPV4 ? "-4" : "-6"));
  }

  private Service service(int i) {
    ServiceType type =
        List.of(ServiceType.CLUSTER_IP, ServiceType.NODE_PORT, ServiceType.LOAD_BALANCER)
            .get(i % 3);
    boolean open = type != ServiceType.CLUSTER_IP;
    boolean local = open && oneIn(2);
    List<Service.Port> ports =
        List.of(
            new Service.Port("http", protocol(i), 80, open ? 20_000 + 2 * i : 0),
            new Service.Port("admin", Protocol.TCP, 9000, open ? 20_001 + 2 * i : 0));
    Service.Builder service =
        Service.named(name(i).namespace(), name(i).name())
            .type(type)
            .clusterIps(clusterIps(i))
            .ports(ports)
            .internalTrafficPolicy(oneIn(4) ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER)
            .externalTrafficPolicy(local ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER);
    if (oneIn(5)) {
      service.affinitySeconds(60 + random.nextInt(100));
    }
    if (oneIn(6)) {
      service.externalIps(List.of("192.0.2." + (1 + i % 250)));
    }
    if (type == ServiceType.LOAD_BALANCER) {
      service.ingress(List.of(new Service.Ingress("198.51.100." + (1 + i % 250), !oneIn(5))));
      if (oneIn(3)) {
        service.sourceRanges(List.of("203.0.113.0/24", "2001:db8::/32"));
      }
      if (local) {
        service.healthCheckNodePort(30_000 + i);
      }
    }
    return service.build();
  }

  private static Protocol protocol(int i) {
    return i % 7 == 3 ? Protocol.UDP : Protocol.TCP;
  }

  /** Of the first family, of the second, or of both. */
  private List<String> clusterIps(int i) {
    String first = "10.97." + i / 200 + "." + (1 + i % 200);
    String second = "fd10:96::" + Integer.toHexString(0x1000 + i);
    return switch (i % 4) {
      case 0 -> List.of(first, second);
      case 1 -> List.of(second);
      default -> List.of(first);
    };
  }

  private void scale(ClusterDelta.Builder delta, int i) {
    if (i % 4 != 1) {
      delta.set(slice(i, AddressType.IPV4));
    }
    if (i % 4 < 2) {
      delta.set(slice(i, AddressType.IPV6));
    }
  }

  private EndpointSlice slice(int i, AddressType type) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    int count = random.nextInt(7);
    for (int m = 0; m < count; m++) {
      String pod =
          type == AddressType.IPV4
              ? "10.128." + i % 250 + "." + (1 + m * 30 + random.nextInt(30))
              : "fd20::" + Integer.toHexString(1 + i) + ":" + (1 + m * 30 + random.nextInt(30));
      Conditions conditions =
          oneIn(5) ? new Conditions(false, oneIn(2), oneIn(2)) : Conditions.READY;
      members.add(
          new EndpointSlice.Member(
              List.of(pod),
              conditions,
              NODES.get(random.nextInt(NODES.size())),
              "",
              List.of(),
              List.of(),
              ""));
    }
    return new EndpointSlice(
        sliceName(i, type),
        name(i).name(),
        type,
        List.of(
            new EndpointSlice.Port("http", protocol(i), 8080),
            new EndpointSlice.Port("admin", Protocol.TCP, 9000)),
        members,
        false,
        null);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }
}
