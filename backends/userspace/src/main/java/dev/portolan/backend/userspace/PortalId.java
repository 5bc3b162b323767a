package dev.portolan.backend.userspace;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.net.InetSocketAddress;

/** What a portal is for: a service port in one family, and which of its clients. */
record PortalId(ServicePortName name, IpFamily family, Clients clients) {
  /**
   * Ports above those that Linux gives to clients, and above nodePorts. Each portal prefers one of
   * them, always the same, so that a restart mostly finds its own again.
   */
  private static final int FIRST_PORT = 61_000;

  private static final int PORTS = 4_500;

  /** Which clients come to a portal. */
  sealed interface Clients {
    /** Those that rules send to the endpoints of a pool. */
    record OfPool(Pool pool) implements Clients {}

    /** Those that want an address of the service; what becomes of them is decided here. */
    record OfAddress(ServiceAddress address) implements Clients {}
  }

  /** For those clients of {@code port} that rules send to {@code pool}. */
  static PortalId of(ServicePort port, Pool pool) {
    return new PortalId(port.name(), port.family(), new Clients.OfPool(pool));
  }

  /** For those clients of {@code port} that want {@code address}. */
  static PortalId of(ServicePort port, ServiceAddress address) {
    return new PortalId(port.name(), port.family(), new Clients.OfAddress(address));
  }

  Protocol protocol() {
    return name.protocol();
  }

  /** The port that it prefers, as one of {@code tries}. */
  int preferredPort(int tries) {
    return FIRST_PORT + Math.floorMod(toString().hashCode() * 31 + tries * 997, PORTS);
  }

  /** Whether {@code address} is wanted by the clients themselves. */
  boolean isAt(InetSocketAddress address) {
    return clients instanceof Clients.OfAddress(ServiceAddress wanted)
        && address.equals(Sockets.address(wanted.address(), wanted.port()));
  }
}
