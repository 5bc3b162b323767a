package dev.portolan.backend.userspace;

import java.net.InetSocketAddress;

/** A place where clients of a service port are served. Connections that exist outlive it. */
sealed interface Portal extends AutoCloseable permits TcpPortal, UdpPortal {
  /** Where it listens. */
  InetSocketAddress address();

  /** New connections are treated so from now on. */
  void serve(PortalTarget now);

  /** Takes no new connections from now on. */
  @Override
  void close();
}
