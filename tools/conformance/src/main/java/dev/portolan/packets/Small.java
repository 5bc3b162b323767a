package dev.portolan.packets;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import java.util.ArrayList;
import java.util.List;

/** One service on some pods of the lab. */
public final class Small {
  /** Its cluster IP. */
  public static final Ip ADDRESS = Ip.of("10.96.9.9");

  private Small() {}

  /** The service, with a cluster IP alone. */
  public static Service service() {
    return service(0, 0);
  }

  /** The service; 0 stands for no nodePort, and for no affinity. */
  public static Service service(int nodePort, int affinitySeconds) {
    Service.Builder service =
        Service.named("traffic", "test")
            .clusterIps(List.of(ADDRESS.toString()))
            .ports(List.of(new Service.Port("http", Protocol.TCP, 80, nodePort)));
    if (affinitySeconds > 0) {
      service.affinitySeconds(affinitySeconds);
    }
    return service.build();
  }

  /** The service's endpoints: the first of the lab's pods. */
  public static EndpointSlice slice(int pods) {
    return slice(Actor.PODS.subList(0, pods));
  }

  /** The service's endpoints. */
  public static EndpointSlice slice(List<Actor> pods) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (Actor pod : pods) {
      members.add(
          new EndpointSlice.Member(
              List.of(pod.address(IpFamily.IPV4).toString()),
              Conditions.READY,
              Actor.PODS_A.contains(pod) ? Actor.NODE_NAME : Actor.OTHER_NODE_NAME,
              "",
              List.of(),
              List.of(),
              ""));
    }
    return new EndpointSlice(
        new NamespacedName("traffic", "test-1"),
        "test",
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        members,
        false,
        null);
  }
}
