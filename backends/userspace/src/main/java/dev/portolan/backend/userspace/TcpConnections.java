package dev.portolan.backend.userspace;

import dev.portolan.core.error.Threads;
import dev.portolan.core.node.Endpoint;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The connections of TCP that are open, of all portals. */
final class TcpConnections {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final Set<TcpConnection> open = ConcurrentHashMap.newKeySet();
  private final Sockets sockets;
  private final Buffers buffers = new Buffers();
  private final Consumer<AccessEntry> access;
  private final Function<Endpoint, InetSocketAddress> reached;

  TcpConnections(Sockets sockets, UserspaceOptions options) {
    this.sockets = sockets;
    this.access = options.access();
    this.reached = options.reached();
  }

  /** Serves a client that was just accepted, on threads of its own. */
  void begin(SocketChannel client, PortalTarget target) {
    TcpConnection connection = new TcpConnection(client, target, sockets, buffers, reached);
    open.add(connection);
    Threads.virtual("userspace-connection")
        .start(() -> {
          try {
            connection.run();
          } finally {
            open.remove(connection);
            access.accept(connection.entry());
          }
        });
  }

  /** How many are open. */
  int count() {
    return open.size();
  }

  /** Waits until all have ended, and breaks off the rest after {@code time}. */
  void drain(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (!open.isEmpty() && System.nanoTime() - end < 0 && Threads.pause(LOOK_AGAIN)) {}
    open.forEach(TcpConnection::stop);
    long last = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    while (!open.isEmpty() && System.nanoTime() - last < 0 && Threads.pause(LOOK_AGAIN)) {}
  }
}
