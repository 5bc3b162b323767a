package dev.portolan.backend.ebpf;

import dev.portolan.backend.ebpf.SocketTarget.Forwarded;
import dev.portolan.backend.ebpf.SocketTarget.Members;
import dev.portolan.backend.ebpf.SocketTarget.PoolName;
import dev.portolan.backend.ebpf.SocketTarget.Refused;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where sockets are sent: for each address the endpoints, without the numbers that the kernel's
 * maps need.
 *
 * <p>Has only what a socket of this node or its pods can do by itself. Nothing else matches;
 * nftables serves it: services with consistent hashing, connections that vanish or that source
 * ranges concern, SCTP, nodePorts on addresses that the cluster does not know, external addresses
 * under the Local policy where pods cannot be distinguished from other clients, and everything
 * where all traffic must be masqueraded.
 */
final class SocketTable {
  private final Map<SocketFrontend, SocketTarget> frontends = new LinkedHashMap<>();
  private final Map<PoolName, Members> pools = new LinkedHashMap<>();

  /** The table of a whole node. */
  static SocketTable of(NodeImage image) {
    SocketTable table = new SocketTable();
    image.services().forEach(service -> table.add(service, image.facts()));
    return table;
  }

  /** The part of it that is of one family. */
  SocketTable of(IpFamily family) {
    SocketTable part = new SocketTable();
    frontends.forEach((frontend, target) -> {
      if (frontend.address().family() == family) {
        part.frontends.put(frontend, target);
      }
    });
    pools.forEach((pool, members) -> {
      if (pool.family() == family) {
        part.pools.put(pool, members);
      }
    });
    return part;
  }

  /** What is done for each address. */
  Map<SocketFrontend, SocketTarget> frontends() {
    return frontends;
  }

  /** The endpoints of each pool that an address leads to. */
  Map<PoolName, Members> pools() {
    return pools;
  }

  /** Adds a service as a node with these facts treats it; null stands for none. */
  void add(@Nullable NodeService service, NodeFacts facts) {
    if (service == null) {
      return;
    }
    for (ServicePort port : service.ports()) {
      if (facts.families().contains(port.family())) {
        add(port, facts);
      }
    }
  }

  private void add(ServicePort port, NodeFacts facts) {
    for (ServiceAddress address : port.addresses()) {
      Optional<SocketTarget> target = target(port, address, facts);
      if (target.isEmpty()) {
        continue;
      }
      if (target.get() instanceof Forwarded forwarded) {
        pools.computeIfAbsent(forwarded.pool(), name -> members(port, name.pool()));
      }
      for (Ip ip : ips(address, facts)) {
        SocketFrontend frontend = new SocketFrontend(ip, address.port(), port.name().protocol());
        if (address.isNodePort()) {
          // As in nftables, the address of a service comes before a port of the node.
          frontends.putIfAbsent(frontend, target.get());
        } else {
          frontends.put(frontend, target.get());
        }
      }
    }
  }

  private static List<Ip> ips(ServiceAddress address, NodeFacts facts) {
    return address.isNodePort()
        ? facts.addresses().stream()
            .filter(ip -> ip.family() == address.family() && facts.servesNodePorts(ip))
            .toList()
        : List.of(address.address());
  }

  private static Optional<SocketTarget> target(
      ServicePort port, ServiceAddress address, NodeFacts facts) {
    if (!EbpfDataplane.suitsSockets(port, address, facts)) {
      return Optional.empty();
    }
    Route route = port.route(address.isExternal() ? Traffic.SHORT_CIRCUIT : Traffic.INTERNAL);
    return switch (route.verdict()) {
      case FORWARD ->
          Optional.of(
              new Forwarded(
                  new PoolName(port.name(), port.family(), route.pool()), port.affinitySeconds()));
      // nftables rejects by what was decided for clients outside.
      case REJECT ->
          port.verdict(address.traffic()) == Verdict.REJECT
              ? Optional.of(new Refused())
              : Optional.empty();
      case DROP, NONE -> Optional.empty();
    };
  }

  private static Members members(ServicePort port, Pool pool) {
    List<Endpoint> chosen = port.endpoints(pool);
    Set<Endpoint> all = new HashSet<>(chosen);
    boolean remembered = port.affinitySeconds() > 0 || port.name().protocol() == Protocol.UDP;
    return new Members(
        port.balancing().turns(chosen),
        port.serving().stream().filter(endpoint -> !all.contains(endpoint)).toList(),
        remembered);
  }
}
