package dev.portolan.bench.kit;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Services with one port and one address, and their slices. */
public final class BenchObjects {
  private BenchObjects() {}

  /** A transaction that writes a slice. */
  public static ClusterDelta written(EndpointSlice slice) {
    return ClusterDelta.builder().set(slice).build();
  }

  /** A service at port 80 of an address. */
  public static Service.Builder service(NamespacedName name, String address, Protocol protocol) {
    return Service.named(name.namespace(), name.name())
        .clusterIps(List.of(address))
        .ports(List.of(new Service.Port("http", protocol, 80, 0)));
  }

  /** A slice of it; {@code name} is that of the slice, in the same namespace. */
  public static EndpointSlice slice(
      NamespacedName name, String service, Protocol protocol, int port, List<Member> members) {
    List<EndpointSlice.Port> ports = List.of(new EndpointSlice.Port("http", protocol, port));
    return new EndpointSlice(name, service, AddressType.IPV4, ports, members, false, null);
  }

  /** An endpoint in good health. */
  public static Member member(String address, String node, String zone, List<String> zoneHints) {
    return new Member(List.of(address), Conditions.READY, node, zone, zoneHints, List.of(), "");
  }

  /** An endpoint on a node, which may be empty. */
  public static Member member(String address, String node) {
    return member(address, node, "", List.of());
  }

  /** The same endpoints of another service, or written at another time. */
  public static EndpointSlice copy(
      EndpointSlice slice, String namespace, String service, Optional<Instant> time) {
    return new EndpointSlice(
        new NamespacedName(namespace, slice.name().name()),
        service,
        slice.addressType(),
        slice.ports(),
        slice.members(),
        slice.labelledHeadless(),
        time.orElse(null));
  }
}
