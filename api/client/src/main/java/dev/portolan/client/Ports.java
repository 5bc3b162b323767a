package dev.portolan.client;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.Optional;

/**
 * Finds the ports of a service. What a port leads to needs no further mapping: each endpoint of a
 * service port has the number that it listens on.
 */
public final class Ports {
  private Ports() {}

  /** The port called {@code name}, which may be empty, in {@code family}. */
  public static Optional<ServicePort> named(NodeService service, String name, IpFamily family) {
    return service.ports().stream()
        .filter(port -> port.name().port().equals(name) && port.family() == family)
        .findFirst();
  }

  /** The port that clients reach under {@code number} of the cluster IP in {@code family}. */
  public static Optional<ServicePort> numbered(
      NodeService service, int number, Protocol protocol, IpFamily family) {
    return service.ports().stream()
        .filter(port -> port.clusterIp().port() == number)
        .filter(port -> port.name().protocol() == protocol)
        .filter(port -> port.family() == family)
        .findFirst();
  }
}
