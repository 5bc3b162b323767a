package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.text.Tree;

/** The name of one port of a service; the port's own name may be empty. */
public record ServicePortName(@Tree.Inline NamespacedName service, String port, Protocol protocol)
    implements Comparable<ServicePortName> {
  @Override
  public int compareTo(ServicePortName other) {
    int order = service.compareTo(other.service);
    order = order == 0 ? port.compareTo(other.port) : order;
    return order == 0 ? protocol.compareTo(other.protocol) : order;
  }

  /** {@code namespace/name:port}, or {@code namespace/name} where the port has no name. */
  @Override
  public String toString() {
    return port.isEmpty() ? service.toString() : service + ":" + port;
  }
}
