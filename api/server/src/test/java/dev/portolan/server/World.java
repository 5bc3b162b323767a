package dev.portolan.server;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Protocol;
import java.util.Arrays;
import java.util.List;

/** Objects for tests: services named default/NAME, whose pods run on the node n1. */
public final class World {
  private World() {}

  public static Service service(String name, int number) {
    return Service.named("default", name)
        .clusterIps(List.of("10.96." + number / 250 + "." + (1 + number % 250)))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
        .build();
  }

  /** One of which a node uses only its own endpoints. */
  static Service localService(String name, int number) {
    return Service.named("default", name)
        .clusterIps(List.of("10.96." + number / 250 + "." + (1 + number % 250)))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
        .internalTrafficPolicy(TrafficPolicy.LOCAL)
        .build();
  }

  public static EndpointSlice slice(String service, String... addresses) {
    return sliceOn("n1", service, addresses);
  }

  static EndpointSlice sliceOn(String node, String service, String... addresses) {
    return new EndpointSlice(
        new NamespacedName("default", service + "-1"),
        service,
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        Arrays.stream(addresses)
            .map(address ->
                new EndpointSlice.Member(
                    List.of(address), Conditions.READY, node, "", List.of(), List.of(), ""))
            .toList(),
        false,
        null);
  }

  static Node node(String name, String address) {
    return new Node(name, List.of(address), List.of(), "", List.of("10.1.0.0/24"), false);
  }

  public static NamespacedName name(String service) {
    return new NamespacedName("default", service);
  }
}
