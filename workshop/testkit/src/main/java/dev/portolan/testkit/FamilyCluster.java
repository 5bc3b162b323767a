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
import java.util.Locale;

/** Two nodes, a headless service and one of both families, with two pods each. */
public final class FamilyCluster {
  /** The cluster; one pod of the headless service is not ready. */
  public static final ClusterImage IMAGE = image();

  private FamilyCluster() {}

  /** The same, with all pods ready. */
  public static ClusterImage allReady(ClusterImage before) {
    EndpointSlice slice = slice(true);
    return new ClusterImage(
        before.services(),
        before.slices().with(slice.name(), slice),
        before.nodes(),
        before.serviceCidrs());
  }

  private static ClusterImage image() {
    PersistentMap<NamespacedName, Service> services = PersistentMap.empty();
    PersistentMap<NamespacedName, EndpointSlice> slices = PersistentMap.empty();
    for (Service service :
        List.of(
            Service.named("shop", "db").clusterIps(List.of("None")).ports(List.of(port())).build(),
            Service.named("shop", "both")
                .clusterIps(List.of("10.96.0.9", "fd00::9"))
                .externalIps(List.of("203.0.113.9"))
                .ports(List.of(port()))
                .build())) {
      services = services.with(service.name(), service);
    }
    for (EndpointSlice slice :
        List.of(
            slice(false),
            slice("both", AddressType.IPV4, true, "10.244.1.9", "10.244.2.9"),
            slice("both", AddressType.IPV6, true, "fd00:1::9", "fd00:2::9"))) {
      slices = slices.with(slice.name(), slice);
    }
    return new ClusterImage(services, slices, PersistentMap.empty(), PersistentMap.empty())
        .with(Node.named("worker-1"))
        .with(Node.named("worker-2"));
  }

  private static Service.Port port() {
    return new Service.Port("http", Protocol.TCP, 80, 0, 8080);
  }

  private static EndpointSlice slice(boolean ready) {
    return slice("db", AddressType.IPV4, ready, "10.244.1.7", "10.244.2.7");
  }

  private static EndpointSlice slice(
      String service, AddressType type, boolean ready, String first, String second) {
    return new EndpointSlice(
        new NamespacedName("shop", service + "-" + type.name().toLowerCase(Locale.ROOT)),
        service,
        type,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        List.of(
            member(service, 0, first, Conditions.READY),
            member(service, 1, second, new Conditions(ready, ready, false))),
        false,
        null);
  }

  private static Member member(String service, int index, String address, Conditions conditions) {
    return new Member(
        List.of(address),
        conditions,
        "worker-" + (index + 1),
        "",
        List.of(),
        List.of(),
        "Pod shop/" + service + "-" + index);
  }
}
