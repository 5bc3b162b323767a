package dev.portolan.backend.userspace;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.Masquerade;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.List;

/**
 * What becomes of a portal's clients at this moment.
 *
 * @param turns whose turn it is; shared by all portals of the service port
 * @param passed counts what passes through them
 */
record PortalTarget(
    PortalId.Clients clients,
    ServicePort port,
    NodeFacts facts,
    EndpointTurns turns,
    PassedTraffic passed) {
  /** What becomes of a client: what rules have done already is not done twice. */
  Route route(Ip client) {
    return switch (clients) {
      case PortalId.Clients.OfPool(var pool) -> new Route(Verdict.FORWARD, pool, Masquerade.NONE);
      case PortalId.Clients.OfAddress(ServiceAddress address) -> route(address, client);
    };
  }

  private Route route(ServiceAddress address, Ip client) {
    boolean own = client.isLoopback() || facts.addresses().contains(client);
    Traffic traffic =
        !address.isExternal()
            ? Traffic.INTERNAL
            : own || isPod(client) ? Traffic.SHORT_CIRCUIT : Traffic.EXTERNAL;
    Route route = port.route(traffic);
    Ip source = client.isLoopback() ? facts.primaryIp(client.family()).orElse(client) : client;
    List<Cidr> allowed = facts.allowedSources(port, address);
    return allowed.isEmpty() || allowed.stream().anyMatch(range -> range.contains(source))
        ? route
        : new Route(Verdict.DROP, route.pool(), route.masquerade());
  }

  private boolean isPod(Ip client) {
    return facts.detector(client.family()) instanceof LocalDetector.SourceRange(Cidr range)
        && range.contains(client);
  }
}
