package dev.portolan.bench.kit;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;

/**
 * A large cluster as one meets them: of 20 services 16 are plain, two have zone hints, one is a
 * load balancer with an external policy of Local, one has an internal policy of Local. Pods are
 * spread over all nodes, nodes over three zones.
 */
public record SyntheticCluster(int services, int endpoints, int nodes) {
  /** Everything, in one transaction. */
  public ClusterDelta all() {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = 0; i < nodes; i++) {
      delta.set(node(i));
    }
    for (int i = 0; i < services; i++) {
      delta.set(service(i));
      delta.set(slice(i, 0));
    }
    return delta.build();
  }

  public Node node(int i) {
    return new Node(
        name(i),
        List.of(ip(0xac10_0000, i + 1)),
        List.of(),
        zone(i),
        List.of(ip(0x0a80_0000, i * 256) + "/24"),
        false);
  }

  public Service service(int i) {
    Service.Builder service =
        Service.named(namespace(i), "service-" + i)
            .clusterIps(List.of(ip(0x0a60_0000, i + 2)))
            .ports(
                List.of(
                    new Service.Port(
                        "http", Protocol.TCP, 80, i % 20 == 18 ? 20_000 + i / 20 : 0)));
    if (i % 20 == 18) {
      service
          .type(ServiceType.LOAD_BALANCER)
          .externalTrafficPolicy(TrafficPolicy.LOCAL)
          .ingress(List.of(new Service.Ingress(ip(0xc633_0000, i), true)))
          .healthCheckNodePort(26_000 + i / 20);
    } else if (i % 20 == 19) {
      service.internalTrafficPolicy(TrafficPolicy.LOCAL);
    }
    return service.build();
  }

  /** The slice of a service; another version has another address for the first endpoint. */
  public EndpointSlice slice(int i, int version) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (int e = 0; e < endpoints; e++) {
      int pod = e == 0 && version % 2 == 1 ? services * endpoints + i : i * endpoints + e;
      int host = Math.floorMod(pod * 31, nodes);
      List<String> hints = i % 20 == 16 || i % 20 == 17 ? List.of(zone(host)) : List.of();
      members.add(BenchObjects.member(ip(0x0a80_0000, pod), name(host), zone(host), hints));
    }
    NamespacedName name = new NamespacedName(namespace(i), "service-" + i + "-slice");
    return BenchObjects.slice(name, "service-" + i, Protocol.TCP, 8080, members);
  }

  /** One of many changes: the first endpoint of a service is replaced, each time of another. */
  public ClusterDelta change(int i) {
    return BenchObjects.written(slice(i * 7919 % services, 1 + i / services));
  }

  public static String name(int i) {
    return once("node-" + i);
  }

  private static String namespace(int i) {
    return once("ns-" + i % 100);
  }

  private static String zone(int i) {
    return once("zone-" + (char) ('a' + i % 3));
  }

  /** What many objects name is kept once, as sources keep it. */
  private static String once(String name) {
    return name.intern();
  }

  private static String ip(int base, int offset) {
    return Ip.v4(base + offset).toString();
  }
}
