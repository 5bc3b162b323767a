package dev.portolan.client;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** A small cluster, and what a real brain decides for the node {@code here}. */
final class World {
  static final String NODE = "here";

  final Brain brain = new Brain(warning -> {});
  final NodeView view = brain.open(NODE, NodeSettings.DEFAULT);

  /** A world where the cluster is known, and has a node. */
  World() {
    apply(ClusterDelta.builder().set(node("10.0.0.1")).build());
  }

  static Node node(String address) {
    return new Node(NODE, List.of(address), List.of(), "za", List.of("10.244.0.0/24"), false);
  }

  NodeImage image() {
    return view.image();
  }

  World apply(ClusterDelta delta) {
    brain.apply(delta);
    return this;
  }

  /** A service with endpoints at these addresses, on port 8080. */
  static ClusterDelta addition(String name, String clusterIp, String... endpoints) {
    return ClusterDelta.builder()
        .set(
            Service.named("shop", name)
                .clusterIps(List.of(clusterIp))
                .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
                .build())
        .set(slice(name, null, endpoints))
        .build();
  }

  static ClusterDelta removal(String name) {
    return ClusterDelta.builder()
        .removeService(new NamespacedName("shop", name))
        .removeSlice(new NamespacedName("shop", name + "-1"))
        .build();
  }

  World service(String name, String clusterIp, String... endpoints) {
    return apply(addition(name, clusterIp, endpoints));
  }

  World endpoints(String name, String... endpoints) {
    return apply(ClusterDelta.builder().set(slice(name, null, endpoints)).build());
  }

  World remove(String name) {
    return apply(removal(name));
  }

  static EndpointSlice slice(String service, Instant trigger, String... endpoints) {
    return new EndpointSlice(
        new NamespacedName("shop", service + "-1"),
        service,
        EndpointSlice.AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        Stream.of(endpoints)
            .map(address ->
                new EndpointSlice.Member(
                    List.of(address),
                    EndpointSlice.Conditions.READY,
                    NODE,
                    "za",
                    List.of(),
                    List.of(),
                    ""))
            .toList(),
        false,
        trigger);
  }
}
