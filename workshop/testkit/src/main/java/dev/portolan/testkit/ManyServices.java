package dev.portolan.testkit;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Protocol;
import java.util.List;

/** A large cluster in which everything is alike. */
public final class ManyServices {
  private ManyServices() {}

  /** A cluster of {@code services} with two endpoints each, and {@code nodes} in three zones. */
  public static ClusterImage of(int services, int nodes) {
    PersistentMap<String, Node> nodeMap = PersistentMap.empty();
    for (int i = 0; i < nodes; i++) {
      Node node =
          new Node(
              node(i),
              List.of("192.168." + i / 250 + "." + (i % 250 + 1)),
              List.of(),
              "zone-" + (char) ('a' + i % 3),
              List.of(),
              false);
      nodeMap = nodeMap.with(node.name(), node);
    }
    PersistentMap<NamespacedName, Service> serviceMap = PersistentMap.empty();
    PersistentMap<NamespacedName, EndpointSlice> sliceMap = PersistentMap.empty();
    for (int i = 0; i < services; i++) {
      Service service = service(i);
      EndpointSlice slice = slice(i, nodes);
      serviceMap = serviceMap.with(service.name(), service);
      sliceMap = sliceMap.with(slice.name(), slice);
    }
    return new ClusterImage(serviceMap, sliceMap, nodeMap, PersistentMap.empty());
  }

  private static String node(int i) {
    return "node-%04d".formatted(i);
  }

  private static Service service(int i) {
    return Service.named("ns-%02d".formatted(i % 50), "svc-%05d".formatted(i))
        .clusterIps(List.of("10.96." + i / 250 + "." + (i % 250 + 1)))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0, 8080)))
        .build();
  }

  /** The slice of service {@code i}; every tenth service has an endpoint that is not ready. */
  private static EndpointSlice slice(int i, int nodes) {
    NamespacedName service = service(i).name();
    return new EndpointSlice(
        new NamespacedName(service.namespace(), service.name() + "-x"),
        service.name(),
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        List.of(
            member(i, 0, i % nodes, Conditions.READY),
            member(
                i,
                1,
                (i + 1) % nodes,
                i % 10 == 0 ? new Conditions(false, false, false) : Conditions.READY)),
        false,
        null);
  }

  private static Member member(int service, int index, int node, Conditions conditions) {
    return new Member(
        List.of("10." + (128 + index) + "." + service / 250 + "." + (service % 250 + 1)),
        conditions,
        node(node),
        "zone-" + (char) ('a' + node % 3),
        List.of(),
        List.of(),
        "Pod ns-%02d/svc-%05d-%d".formatted(service % 50, service, index));
  }
}
