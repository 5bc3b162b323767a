package dev.portolan.cli.lab;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.testkit.peers.ApiWriter;
import java.util.List;

/**
 * Services that are written last: a proxy that serves one has heard of everything that was written
 * before it, because each watch keeps the order.
 */
final class Markers {
  private static final String NAMESPACE = "marker";

  private final ApiWriter api;
  private int count;

  Markers(ApiWriter api) {
    this.api = api;
  }

  /**
   * Writes the next one; returns the addresses on which it is served. A proxy may be done with one
   * family before the other.
   */
  List<Ip> next() {
    count++;
    List<Ip> addresses =
        List.of(
            Ip.of("10.96." + (128 + count / 250) + "." + (1 + count % 250)),
            Ip.of("fd10:96::" + Integer.toHexString(0x8000 + count)));
    api.apply(service("marker-" + count, addresses, Protocol.TCP));
    return addresses;
  }

  /** A service with port 80 and one endpoint, on the node. */
  static ClusterDelta service(String name, List<Ip> addresses, Protocol protocol) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    delta.set(
        Service.named(NAMESPACE, name)
            .clusterIps(addresses.stream().map(Ip::toString).toList())
            .ipFamilies(addresses.stream().map(Ip::family).toList())
            .ports(List.of(new Service.Port("", protocol, 80, 0)))
            .build());
    for (Ip address : addresses) {
      delta.set(slice(name, address.family(), protocol));
    }
    return delta.build();
  }

  private static EndpointSlice slice(String name, IpFamily family, Protocol protocol) {
    return new EndpointSlice(
        sliceName(name, family),
        name,
        family == IpFamily.IPV4 ? EndpointSlice.AddressType.IPV4 : EndpointSlice.AddressType.IPV6,
        List.of(new EndpointSlice.Port("", protocol, 8080)),
        List.of(
            new EndpointSlice.Member(
                List.of(Actor.POD_A1.address(family).toString()),
                EndpointSlice.Conditions.READY,
                Actor.NODE_NAME,
                "",
                List.of(),
                List.of(),
                "")),
        false,
        null);
  }

  private static NamespacedName sliceName(String name, IpFamily family) {
    return new NamespacedName(NAMESPACE, name + (family == IpFamily.IPV4 ? "-v4" : "-v6"));
  }

  /** The change that removes a service of one family. */
  static ClusterDelta removal(String name, IpFamily family) {
    return ClusterDelta.builder()
        .removeService(new NamespacedName(NAMESPACE, name))
        .removeSlice(sliceName(name, family))
        .build();
  }
}
