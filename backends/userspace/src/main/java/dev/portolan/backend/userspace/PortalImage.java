package dev.portolan.backend.userspace;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Masquerade;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A service as the rules before the portals see it: the same addresses, source ranges and verdicts,
 * and for each pool one endpoint, which is a portal. So all that rules can do for a service, they
 * do here too.
 *
 * <p>The portal has to see its client, so nothing is masqueraded. SCTP, which Java has no sockets
 * for, keeps its own endpoints.
 */
final class PortalImage {
  private PortalImage() {}

  /** The portals that {@code port} needs. */
  static Set<PortalId> portals(ServicePort port) {
    Set<PortalId> wanted = new LinkedHashSet<>();
    if (isProxied(port)) {
      for (Pool pool : Pool.values()) {
        if (!port.endpoints(pool).isEmpty() && port.routes().use(pool)) {
          wanted.add(PortalId.of(port, pool));
        }
      }
    }
    return wanted;
  }

  private static boolean isProxied(ServicePort port) {
    return port.name().protocol() != Protocol.SCTP;
  }

  /**
   * What rules make of {@code service}.
   *
   * @param places where each portal is; empty where it cannot be had, and then the service port is
   *     not served
   */
  static NodeService of(
      NodeService service, BiFunction<PortalId, ServicePort, Optional<InetSocketAddress>> places) {
    List<ServicePort> ports = new ArrayList<>();
    for (ServicePort port : service.ports()) {
      if (isProxied(port)) {
        of(port, places).ifPresent(ports::add);
      } else {
        ports.add(port);
      }
    }
    return new NodeService(
        service.name(),
        service.type(),
        service.healthCheckNodePort(),
        service.localReadyEndpoints(),
        ports);
  }

  private static Optional<ServicePort> of(
      ServicePort port, BiFunction<PortalId, ServicePort, Optional<InetSocketAddress>> places) {
    Map<Pool, List<Endpoint>> pools = new EnumMap<>(Pool.class);
    List<Endpoint> serving = new ArrayList<>();
    for (Pool pool : Pool.values()) {
      PortalId id = PortalId.of(port, pool);
      boolean wanted = portals(port).contains(id);
      Optional<Endpoint> portal =
          wanted ? places.apply(id, port).map(PortalImage::endpoint) : Optional.empty();
      if (wanted && portal.isEmpty()) {
        return Optional.empty();
      }
      pools.put(pool, portal.stream().toList());
      portal.ifPresent(serving::add);
    }
    return Optional.of(
        new ServicePort(
            port.name(),
            port.addresses(),
            port.sourceRanges(),
            0,
            new Routes(
                plain(port.routes().internal()),
                plain(port.routes().external()),
                plain(port.routes().shortCircuit())),
            pools.getOrDefault(Pool.CLUSTER, List.of()),
            pools.getOrDefault(Pool.LOCAL, List.of()),
            serving));
  }

  private static Endpoint endpoint(InetSocketAddress place) {
    Ip address = Sockets.ip(place.getAddress());
    return new Endpoint(address, place.getPort(), "");
  }

  private static Route plain(Route route) {
    return route.verdict() == Verdict.FORWARD
        ? new Route(route.verdict(), route.pool(), Masquerade.NONE)
        : route;
  }
}
