package dev.portolan.backend.windows.hcn;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A load balancer.
 *
 * @param endpoints what connections are spread over; never empty in one that HNS takes
 * @param sourceVip whose address endpoints see; empty leaves that to HNS
 * @param vip the address of the service; empty for every address of the node
 * @param flags {@link #DSR} and {@link #IPV6}
 */
public record HcnLoadBalancer(
    UUID id,
    Set<UUID> endpoints,
    Optional<Ip> sourceVip,
    Optional<Ip> vip,
    PortMapping port,
    int flags) {
  /** Endpoints answer clients themselves. */
  public static final int DSR = 1;

  /** The addresses are of IPv6. */
  public static final int IPV6 = 2;

  public HcnLoadBalancer {
    endpoints = Collections.unmodifiableSet(new TreeSet<>(endpoints));
  }

  /** One that HNS has begun to create; it equals no wanted one. */
  public static HcnLoadBalancer unfinished(UUID id) {
    return new HcnLoadBalancer(
        id, Set.of(), Optional.empty(), Optional.empty(), new PortMapping(0, 0, 0, 0, 0), 0);
  }

  /** What must be the only one of its kind: another load balancer with the same is refused. */
  public record Frontend(Optional<Ip> vip, int protocol, int port, IpFamily family) {}

  /** How it is found. */
  public Frontend frontend() {
    return new Frontend(vip, port.protocol(), port.external(), family());
  }

  /** The family of its address. */
  public IpFamily family() {
    return (flags & IPV6) == 0 ? IpFamily.IPV4 : IpFamily.IPV6;
  }

  /** The same under another identifier. */
  public HcnLoadBalancer as(UUID other) {
    return new HcnLoadBalancer(other, endpoints, sourceVip, vip, port, flags);
  }
}
