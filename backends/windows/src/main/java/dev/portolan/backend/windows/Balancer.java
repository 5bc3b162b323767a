package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnLoadBalancer;
import dev.portolan.backend.windows.hcn.PortMapping;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A load balancer that a service needs, before it is known what HNS calls its endpoints.
 *
 * @param owner what it is for, for people
 * @param vip the address; empty for every address of the node
 * @param members where connections go; empty where they go to the node itself
 * @param vipEndpoint the address that an overlay must know as an endpoint, too
 * @param sourceVip whose address endpoints see; empty leaves that to HNS
 * @param flags of the load balancer
 */
record Balancer(
    UUID id,
    BalancerKind kind,
    String owner,
    IpFamily family,
    Optional<Ip> vip,
    List<Member> members,
    Optional<Ip> vipEndpoint,
    Optional<Ip> sourceVip,
    PortMapping port,
    int flags) {
  Balancer {
    members = List.copyOf(members);
  }

  /**
   * An address that connections go to.
   *
   * @param local whether a pod of this node has it
   */
  record Member(Ip address, boolean local) {}

  /** As HNS takes it, with what it calls the endpoints. */
  HcnLoadBalancer with(Set<UUID> endpoints) {
    return new HcnLoadBalancer(id, endpoints, sourceVip, vip, port, flags);
  }

  /** {@code default/web:http (ClusterIP 10.96.0.10:80)}. */
  @Override
  public String toString() {
    return owner
        + " ("
        + kind
        + " "
        + vip.map(ip -> ip.withPort(port.external()))
            .orElseGet(() -> family + " :" + port.external())
        + ")";
  }
}
