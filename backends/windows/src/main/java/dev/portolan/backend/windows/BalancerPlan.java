package dev.portolan.backend.windows;

import static dev.portolan.backend.windows.hcn.PortMapping.CLIENT;
import static dev.portolan.backend.windows.hcn.PortMapping.CONNECTION;
import static dev.portolan.backend.windows.hcn.PortMapping.LOCAL_ROUTED_VIP;
import static dev.portolan.backend.windows.hcn.PortMapping.PRESERVE_DIP;
import static dev.portolan.backend.windows.hcn.PortMapping.USE_MUX;
import static dev.portolan.backend.windows.hcn.PortMapping.VIP_EXTERNAL;

import dev.portolan.backend.windows.Balancer.Member;
import dev.portolan.backend.windows.hcn.HcnLoadBalancer;
import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.backend.windows.hcn.HnsVersion;
import dev.portolan.backend.windows.hcn.PortMapping;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which load balancers services need on a node. A pure function: the same network, version and
 * facts give the same answers.
 *
 * <p>An HNS load balancer can only forward: where connections are not forwarded there is none. It
 * has one list of endpoints for all its clients, and one port for all its endpoints.
 */
final class BalancerPlan {
  private final WindowsOptions options;
  private final HnsVersion version;
  private final HcnNetwork network;
  private final NodeFacts facts;
  private final Set<IpFamily> families;

  BalancerPlan(WindowsOptions options, HnsVersion version, HcnNetwork network, NodeFacts facts) {
    this.options = options;
    this.version = version;
    this.network = network;
    this.facts = facts;
    this.families = families(version, network, facts);
  }

  /**
   * The families that are programmed: those of the node, or the first of them where HNS, or the
   * kind of network, cannot do two.
   */
  static Set<IpFamily> families(HnsVersion version, HcnNetwork network, NodeFacts facts) {
    if (version.hasDualStack() && !network.isOverlay()) {
      return facts.families();
    }
    IpFamily first =
        facts.primaryIps().isEmpty() ? IpFamily.IPV4 : facts.primaryIps().getFirst().family();
    return facts.families().contains(first) || facts.families().isEmpty()
        ? Set.of(first)
        : Set.of(facts.families().iterator().next());
  }

  /** The node's own address, by which an overlay finds it. */
  Optional<Ip> nodeIp(IpFamily family) {
    return facts.primaryIp(family);
  }

  /** What a service needs; nothing for none. */
  List<Balancer> of(@Nullable NodeService service) {
    if (service == null) {
      return List.of();
    }
    boolean preserves = version.hasDirectServerReturn() && service.preservesDestination();
    List<Balancer> balancers = new ArrayList<>();
    Map<UUID, Balancer> checks = new TreeMap<>();
    for (ServicePort port : service.ports()) {
      if (!families.contains(port.family())) {
        continue;
      }
      for (ServiceAddress address : port.addresses()) {
        balancer(port, address, preserves).ifPresent(balancers::add);
        if (options.forwardHealthCheckVip()
            && address.kind() == ServiceAddress.Kind.LOAD_BALANCER_IP) {
          healthCheck(service, address, preserves)
              .ifPresent(check -> checks.put(check.id(), check));
        }
      }
    }
    balancers.addAll(checks.values());
    return balancers;
  }

  private Optional<Balancer> balancer(ServicePort port, ServiceAddress address, boolean preserves) {
    BalancerKind kind = kind(address);
    boolean kept = preserves && (address.isNodePort() || kind == BalancerKind.LOAD_BALANCER_IP);
    List<Endpoint> pool = WindowsDataplane.withOnePort(pool(port, address, kept));
    if (pool.isEmpty()) {
      return Optional.empty();
    }
    List<Member> members =
        pool.stream()
            .map(endpoint -> new Member(endpoint.address(), facts.isLocal(endpoint)))
            .distinct()
            .toList();
    Optional<Ip> vip = address.isNodePort() ? Optional.empty() : Optional.of(address.address());
    Protocol protocol = port.name().protocol();
    return Optional.of(
        new Balancer(
            OwnIds.balancer(port.name(), protocol, kind.label(), address.address(), address.port()),
            kind,
            port.name().toString(),
            port.family(),
            vip,
            members,
            network.isOverlay() && kind == BalancerKind.CLUSTER_IP ? vip : Optional.empty(),
            sourceVip(port.family(), members),
            new PortMapping(
                number(protocol),
                pool.getFirst().port(),
                address.port(),
                keepsClients(port) ? CLIENT : CONNECTION,
                portFlags(kind, kept)),
            flags(port.family(), returnsDirectly(port, kind, preserves))));
  }

  /** Who may get connections to an address; those of the node alone where it keeps its packets. */
  private static List<Endpoint> pool(ServicePort port, ServiceAddress address, boolean kept) {
    if (port.verdict(address.traffic()) != Verdict.FORWARD) {
      return List.of();
    }
    return kept ? port.local() : port.endpoints(address.traffic());
  }

  /**
   * A load balancer for the health checks that a cloud sends to a service's own address; services
   * that share address and port share it.
   */
  private Optional<Balancer> healthCheck(
      NodeService service, ServiceAddress address, boolean preserves) {
    int port =
        service.healthCheckNodePort() != 0 ? service.healthCheckNodePort() : options.healthzPort();
    if (port == 0) {
      return Optional.empty();
    }
    Ip vip = address.address();
    return Optional.of(
        new Balancer(
            OwnIds.balancer(BalancerKind.HEALTH_CHECK.label(), vip, port),
            BalancerKind.HEALTH_CHECK,
            "health checks of " + vip,
            vip.family(),
            Optional.of(vip),
            List.of(),
            Optional.empty(),
            network.isOverlay() ? options.sourceVip() : Optional.empty(),
            new PortMapping(
                number(Protocol.TCP),
                port,
                port,
                CONNECTION,
                preserves ? USE_MUX | PRESERVE_DIP : 0),
            flags(vip.family(), false)));
  }

  /**
   * In an overlay, the address that endpoints see: that of the node where one of them is a node, or
   * is outside the cluster, because the overlay does not reach those.
   */
  private Optional<Ip> sourceVip(IpFamily family, List<Member> members) {
    if (!network.isOverlay()) {
      return Optional.empty();
    }
    boolean outside =
        members.stream()
            .filter(member -> !member.local())
            .anyMatch(member ->
                network
                    .provider(member.address())
                    .map(provider -> provider.equals(member.address()))
                    .orElse(true));
    return outside ? nodeIp(family) : options.sourceVip();
  }

  private boolean keepsClients(ServicePort port) {
    return version.hasAffinity()
        && (port.affinitySeconds() > 0 || port.balancing().kind() == Balancing.Kind.MAGLEV_ADDRESS);
  }

  private boolean returnsDirectly(ServicePort port, BalancerKind kind, boolean preserves) {
    if (kind == BalancerKind.CLUSTER_IP) {
      return options.dsr();
    }
    boolean local = port.routes().external().pool() == Pool.LOCAL;
    boolean kept = preserves && kind == BalancerKind.LOAD_BALANCER_IP;
    return version.hasDirectServerReturn() && (local || kept);
  }

  private static int flags(IpFamily family, boolean dsr) {
    return (dsr ? HcnLoadBalancer.DSR : 0) | (family == IpFamily.IPV6 ? HcnLoadBalancer.IPV6 : 0);
  }

  private static int portFlags(BalancerKind kind, boolean kept) {
    return switch (kind) {
      case CLUSTER_IP, HEALTH_CHECK -> 0;
      case NODE_PORT -> VIP_EXTERNAL | LOCAL_ROUTED_VIP;
      case EXTERNAL_IP -> VIP_EXTERNAL;
      case LOAD_BALANCER_IP -> kept ? VIP_EXTERNAL | USE_MUX | PRESERVE_DIP : VIP_EXTERNAL;
    };
  }

  private static BalancerKind kind(ServiceAddress address) {
    return switch (address.kind()) {
      case CLUSTER_IP -> BalancerKind.CLUSTER_IP;
      case EXTERNAL_IP -> BalancerKind.EXTERNAL_IP;
      case LOAD_BALANCER_IP -> BalancerKind.LOAD_BALANCER_IP;
      case NODE_PORT -> BalancerKind.NODE_PORT;
    };
  }

  private static int number(Protocol protocol) {
    return switch (protocol) {
      case TCP -> 6;
      case UDP -> 17;
      case SCTP -> 132;
    };
  }
}
