package dev.portolan.source.kube;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Objects to serve. */
final class Samples {
  private Samples() {}

  /** A service with an address that ends with {@code number}. */
  static Service service(String name, int number) {
    return Service.named("shop", name)
        .clusterIps(List.of("10.96.0." + number))
        .ipFamilies(List.of(IpFamily.IPV4))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
        .created(Instant.ofEpochSecond(1_700_000_000))
        .build();
  }

  /** A slice of the service {@code name} with one endpoint each. */
  static EndpointSlice slice(String name, String... addresses) {
    List<Member> members = new ArrayList<>();
    for (String address : addresses) {
      members.add(
          new Member(
              List.of(address), Conditions.READY, "n1", "za", List.of("za"), List.of(), "web-1"));
    }
    return new EndpointSlice(
        new NamespacedName("shop", name + "-1"),
        name,
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        members,
        false,
        Instant.parse("2026-01-02T03:04:05.5Z"));
  }

  /** A node with one address. */
  static Node node(String name, String address) {
    return new Node(
        name, List.of(address), List.of("203.0.113.9"), "za", List.of("10.1.0.0/24"), false);
  }

  /** An object that may be anything, with one of a few names. */
  static Object random(Random random) {
    int number = random.nextInt(6);
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> randomService("s" + number, random);
      case 3, 4, 5 -> randomSlice("s" + number, random);
      case 6 ->
          new Node(
              "n" + number,
              List.of("192.168.0." + random.nextInt(4)),
              List.of(),
              random.nextBoolean() ? "" : "za",
              List.of("10.1." + number + ".0/24"),
              random.nextBoolean());
      default -> new ServiceCidr("c" + number, List.of("10." + random.nextInt(100) + ".0.0/16"));
    };
  }

  /** Any of {@code values}. */
  static <E> E pick(E[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  private static Service randomService(String name, Random random) {
    Service.Builder service =
        Service.named("shop", name)
            .type(pick(ServiceType.values(), random))
            .clusterIps(List.of(random.nextInt(8) == 0 ? "None" : "10.96.1." + random.nextInt(9)))
            .ports(
                List.of(
                    new Service.Port("a", Protocol.TCP, 80, 30000 + random.nextInt(3)),
                    new Service.Port("b", Protocol.UDP, 53, 0, random.nextInt(2) * 5353)))
            .externalIps(random.nextBoolean() ? List.of() : List.of("192.0.2.1", "2001:db8::1"))
            .sourceRanges(random.nextBoolean() ? List.of() : List.of("10.0.0.0/8"))
            .ingress(List.of(new Service.Ingress("198.51.100.1", random.nextBoolean())))
            .externalTrafficPolicy(pick(TrafficPolicy.values(), random))
            .internalTrafficPolicy(pick(TrafficPolicy.values(), random))
            .healthCheckNodePort(random.nextInt(2) * 31000)
            .proxyName(random.nextInt(6) == 0 ? Optional.of("other") : Optional.empty())
            .created(Instant.ofEpochSecond(1_600_000_000 + random.nextInt(3)));
    if (random.nextBoolean()) {
      service.affinitySeconds(random.nextInt(1, 100));
    }
    return service.build();
  }

  private static EndpointSlice randomSlice(String name, Random random) {
    List<Member> members = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      members.add(
          new Member(
              List.of("10.1.0." + random.nextInt(200)),
              new Conditions(random.nextBoolean(), random.nextBoolean(), random.nextBoolean()),
              "n" + random.nextInt(3),
              "z" + random.nextInt(3),
              random.nextBoolean() ? List.of() : List.of("z1", "z2"),
              random.nextBoolean() ? List.of() : List.of("n1"),
              "pod-" + i));
    }
    return new EndpointSlice(
        new NamespacedName("shop", name + "-" + random.nextInt(2)),
        name,
        random.nextInt(5) == 0 ? AddressType.IPV6 : AddressType.IPV4,
        List.of(new EndpointSlice.Port("a", Protocol.SCTP, random.nextInt(1, 5))),
        members,
        random.nextInt(6) == 0,
        random.nextBoolean() ? null : Instant.ofEpochSecond(1_700_000_000, random.nextInt(1000)));
  }
}
