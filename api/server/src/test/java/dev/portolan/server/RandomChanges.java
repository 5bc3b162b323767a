package dev.portolan.server;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Protocol;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Random transactions on a small cluster, so that they meet. */
final class RandomChanges {
  private static final int SERVICES = 6;

  private final Random random;

  RandomChanges(Random random) {
    this.random = random;
  }

  ClusterDelta next() {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      change(delta);
    }
    return delta.build();
  }

  private void change(ClusterDelta.Builder delta) {
    String name = "s" + random.nextInt(SERVICES);
    switch (random.nextInt(9)) {
      case 0, 1 -> delta.set(service(name));
      case 2 -> delta.removeService(World.name(name));
      case 3, 4, 5 -> delta.set(slice(name));
      case 6 -> delta.removeSlice(World.name(name + "-1"));
      case 7 -> delta.set(node());
      default -> delta.set(new ServiceCidr("c", List.of("10." + random.nextInt(9) + ".0.0/16")));
    }
  }

  private Service service(String name) {
    boolean open = random.nextBoolean();
    return Service.named("default", name)
        .type(open ? ServiceType.NODE_PORT : ServiceType.CLUSTER_IP)
        .clusterIps(List.of("10.96.0." + (1 + name.hashCode() % 200)))
        .ports(
            List.of(
                new Service.Port(
                    "http", Protocol.TCP, 80, open ? 30_000 + name.hashCode() % 99 : 0),
                new Service.Port("dns", Protocol.UDP, 53, 0)))
        .externalTrafficPolicy(policy())
        .internalTrafficPolicy(policy())
        .build();
  }

  private TrafficPolicy policy() {
    return random.nextInt(3) == 0 ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }

  private EndpointSlice slice(String service) {
    List<EndpointSlice.Member> members =
        IntStream.range(0, random.nextInt(4)).mapToObj(i -> member()).toList();
    return new EndpointSlice(
        World.name(service + "-1"),
        service,
        AddressType.IPV4,
        List.of(
            new EndpointSlice.Port("http", Protocol.TCP, 8080 + random.nextInt(2)),
            new EndpointSlice.Port("dns", Protocol.UDP, 5353)),
        members,
        false,
        Instant.ofEpochSecond(random.nextInt(1_000_000)));
  }

  private EndpointSlice.Member member() {
    Conditions conditions =
        new Conditions(random.nextInt(4) > 0, random.nextInt(4) > 0, random.nextInt(4) == 0);
    List<String> zones = random.nextInt(3) == 0 ? List.of("z" + random.nextInt(2)) : List.of();
    return new EndpointSlice.Member(
        List.of("10.1.0." + (1 + random.nextInt(20))),
        conditions,
        "n" + random.nextInt(3),
        "",
        zones,
        List.of(),
        "");
  }

  private Node node() {
    return new Node(
        "n" + random.nextInt(3),
        List.of("192.168.0." + (1 + random.nextInt(3))),
        List.of(),
        "z" + random.nextInt(2),
        List.of(),
        random.nextInt(5) == 0);
  }
}
