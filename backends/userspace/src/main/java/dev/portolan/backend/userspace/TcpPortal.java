package dev.portolan.backend.userspace;

import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** A portal of TCP: one virtual thread accepts, and each connection has two more. */
final class TcpPortal implements Portal {
  /** The kernel takes its own limit where this is more. */
  private static final int BACKLOG = 4_096;

  private static final String PLACE = "portal";

  private final ServerSocketChannel server;
  private final InetSocketAddress address;
  private final TcpConnections connections;
  private final Thread accepting;
  private volatile PortalTarget target;

  private TcpPortal(ServerSocketChannel server, PortalTarget target, TcpConnections connections)
      throws IOException {
    this.server = server;
    this.address = (InetSocketAddress) server.getLocalAddress();
    this.target = target;
    this.connections = connections;
    this.accepting =
        Threads.virtual(PLACE).named("portal " + address).lasting().unstarted(this::accept);
  }

  /** Listens at {@code address}. */
  static TcpPortal open(
      InetSocketAddress address, PortalTarget target, TcpConnections connections, Sockets sockets)
      throws IOException {
    ServerSocketChannel server = sockets.server(Sockets.ip(address.getAddress()).family());
    try {
      TcpPortal portal = new TcpPortal(server.bind(address, BACKLOG), target, connections);
      portal.accepting.start();
      return portal;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        connections.begin(client, target);
      } catch (IOException e) {
        if (server.isOpen()) {
          Failures.ofProcess().add(PLACE, e);
          // Out of file descriptors, for instance: it may pass.
          boolean _ = Threads.pause(Duration.ofMillis(100));
        }
      }
    }
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void serve(PortalTarget now) {
    target = now;
  }

  /**
   * Returns when the address is free: Java closes the socket once the thread that accepts on it has
   * noticed.
   */
  @Override
  public void close() {
    try {
      server.close();
      accepting.join();
    } catch (IOException e) {
      // Nothing is accepted any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
