package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;

/** The name of one port of a service; the port's own name may be empty. */
public record ServicePortName(NamespacedName service, String port, Protocol protocol)
    implements Comparable<ServicePortName> {
  @Override
  public int compareTo(ServicePortName other) {
    int byService = service.compareTo(other.service);
    if (byService != 0) {
      return byService;
    }
    int byPort = port.compareTo(other.port);
    return byPort != 0 ? byPort : protocol.compareTo(other.protocol);
  }

  /** {@code namespace/name:port}, or {@code namespace/name} where the port has no name. */
  @Override
  public String toString() {
    return port.isEmpty() ? service.toString() : service + ":" + port;
  }
}
