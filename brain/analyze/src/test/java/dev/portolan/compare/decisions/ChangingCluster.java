package dev.portolan.compare.decisions;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A small cluster that changes at random: policies, hints, conflicting addresses, nodes. */
final class ChangingCluster {
  private static final int SERVICES = 9;
  private static final int NODES = 5;

  private final Random random;
  private ClusterImage cluster = ClusterImage.EMPTY;

  ChangingCluster(Random random) {
    this.random = random;
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = 0; i < NODES; i++) {
      delta.set(node(i));
    }
    for (int i = 0; i < SERVICES; i++) {
      delta.set(service(i)).set(slice(i));
    }
    cluster = delta.build().applyTo(cluster);
  }

  /** The cluster after a few more changes. */
  ClusterImage next() {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    int changes = random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int one = random.nextInt(SERVICES);
      switch (random.nextInt(8)) {
        case 0 -> delta.set(service(one));
        case 1 -> delta.removeService(name(one));
        case 2 -> delta.removeSlice(name(one));
        case 3 -> delta.set(node(random.nextInt(NODES)));
        case 4 -> delta.removeNode("node-" + random.nextInt(NODES));
        default -> delta.set(slice(one));
      }
    }
    cluster = delta.build().applyTo(cluster);
    return cluster;
  }

  private static NamespacedName name(int i) {
    return new NamespacedName("default", "service-" + i);
  }

  private Node node(int i) {
    return new Node(
        "node-" + i,
        List.of("192.168.0." + (i + 1)),
        List.of(),
        "zone-" + random.nextInt(3),
        List.of("10.244." + i + ".0/24"),
        random.nextInt(10) == 0);
  }

  private Service service(int i) {
    boolean outside = random.nextBoolean();
    return Service.named("default", "service-" + i)
        .type(outside ? ServiceType.LOAD_BALANCER : ServiceType.CLUSTER_IP)
        .clusterIps(List.of("10.96.0." + (i + 1)))
        // Few addresses for many services: some have to do without.
        .externalIps(
            random.nextInt(3) == 0 ? List.of("198.51.100." + random.nextInt(3)) : List.of())
        .ingress(
            outside
                ? List.of(new Service.Ingress("203.0.113." + random.nextInt(6), true))
                : List.of())
        .ports(
            List.of(
                new Service.Port(
                    "http", Protocol.TCP, 80, outside ? 30_000 + random.nextInt(6) : 0),
                new Service.Port("dns", Protocol.UDP, 53, 0)))
        .internalTrafficPolicy(policy())
        .externalTrafficPolicy(policy())
        .build();
  }

  private TrafficPolicy policy() {
    return random.nextInt(3) == 0 ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }

  private EndpointSlice slice(int i) {
    boolean hinted = random.nextInt(3) == 0;
    List<Member> members = new ArrayList<>();
    int count = random.nextInt(5);
    for (int e = 0; e < count; e++) {
      members.add(
          new Member(
              List.of("10.244.0." + (i * 8 + e)),
              new Conditions(
                  random.nextInt(4) != 0, random.nextInt(4) != 0, random.nextInt(4) == 0),
              "node-" + random.nextInt(NODES),
              "",
              hinted ? List.of("zone-" + random.nextInt(3)) : List.of(),
              List.of(),
              ""));
    }
    return new EndpointSlice(
        name(i),
        "service-" + i,
        AddressType.IPV4,
        List.of(
            new EndpointSlice.Port("http", Protocol.TCP, 8080),
            new EndpointSlice.Port("dns", Protocol.UDP, 53)),
        members,
        false,
        null);
  }
}
