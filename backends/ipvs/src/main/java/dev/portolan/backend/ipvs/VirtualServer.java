package dev.portolan.backend.ipvs;

import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.netlink.ipvs.ServiceSettings;
import java.util.List;

/**
 * A virtual server as it should be.
 *
 * @param owner the service port that it serves
 * @param pool the endpoints that new connections go to
 * @param balancing has the weights of these
 * @param serving the endpoints that old connections may still go to
 */
record VirtualServer(
    ServerKey key,
    ServicePortName owner,
    ServiceSettings settings,
    List<Endpoint> pool,
    Balancing balancing,
    List<Endpoint> serving) {
  /** Whether old connections to {@code target} may go on for as long as they last. */
  boolean serves(ServerKey.EndpointKey target) {
    return serving.stream()
        .anyMatch(endpoint ->
            endpoint.port() == target.port() && endpoint.address().equals(target.address()));
  }
}
