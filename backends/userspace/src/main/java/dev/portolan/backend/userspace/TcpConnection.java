package dev.portolan.backend.userspace;

import dev.portolan.backend.userspace.AccessEntry.Ending;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Route;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection, and the one to its endpoint. Each direction is copied by a thread that
 * reads only when what it read before was taken; so a slow reader slows the other side of its own
 * connection, and nothing else.
 *
 * <p>What one side does reaches the other: the end of what it sends, and a reset.
 */
final class TcpConnection {
  /** How long each try waits for its endpoint, as in kube-proxy's former mode userspace. */
  private static final List<Duration> PATIENCE =
      List.of(
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2));

  private final SocketChannel client;
  private final PortalTarget target;
  private final Sockets sockets;
  private final Buffers buffers;
  private final Function<Endpoint, InetSocketAddress> reached;
  private final long begin = System.nanoTime();
  private final InetSocketAddress source;
  private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
  private volatile @Nullable SocketChannel server;
  private volatile @Nullable Endpoint endpoint;
  private volatile long fromClient;
  private volatile long toClient;

  TcpConnection(
      SocketChannel client,
      PortalTarget target,
      Sockets sockets,
      Buffers buffers,
      Function<Endpoint, InetSocketAddress> reached) {
    this.client = client;
    this.target = target;
    this.sockets = sockets;
    this.buffers = buffers;
    this.reached = reached;
    this.source = (InetSocketAddress) client.socket().getRemoteSocketAddress();
  }

  /** Serves it to its end. */
  void run() {
    Ip address = Sockets.ip(source.getAddress());
    Route route = target.route(address);
    switch (route.verdict()) {
      case FORWARD -> forward(route, address);
      case REJECT, NONE -> {
        target.passed().turnedAway(route.verdict());
        breakOff(Ending.REJECTED);
      }
      case DROP -> {
        target.passed().turnedAway(route.verdict());
        swallow();
      }
    }
  }

  private void forward(Route route, Ip address) {
    SocketChannel connected = connect(route, address);
    if (connected == null) {
      breakOff(Ending.UNREACHABLE);
      return;
    }
    target.passed().connected();
    server = connected;
    if (ending.get() != null) {
      close(connected);
      return;
    }
    try {
      prepare(client);
      Thread back =
          Threads.virtual("userspace-connection")
              .start(() -> copy(connected, client, Ending.ENDPOINT_RESET, Ending.CLIENT_RESET));
      copy(client, connected, Ending.CLIENT_RESET, Ending.ENDPOINT_RESET);
      back.join();
    } catch (IOException e) {
      breakOff(Ending.CLIENT_RESET);
    } catch (InterruptedException e) {
      breakOff(Ending.STOPPED);
    }
    ending.compareAndSet(null, Ending.CLOSED);
    close(client);
    close(connected);
  }

  /** A connection to the endpoint whose turn it is, or to the next that answers. */
  private @Nullable SocketChannel connect(Route route, Ip address) {
    List<Endpoint> failed = new ArrayList<>();
    for (Duration patience : PATIENCE) {
      Optional<Endpoint> next =
          target.turns().next(route.pool(), address, source.getPort(), failed);
      if (next.isEmpty() || ending.get() != null) {
        return null;
      }
      SocketChannel channel = null;
      try {
        channel = sockets.tcp(next.get().address().family());
        channel.socket().connect(reached.apply(next.get()), (int) patience.toMillis());
        prepare(channel);
        endpoint = next.get();
        return channel;
      } catch (IOException e) {
        close(channel);
        failed.add(next.get());
      }
    }
    return null;
  }

  /** Bytes are passed on as they come, and a side that vanished is noticed some day. */
  private static void prepare(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
  }

  /** Copies until one side ends its stream, and ends the other's; any failure closes both. */
  private void copy(SocketChannel from, SocketChannel to, Ending ofReading, Ending ofWriting) {
    ByteBuffer small = Buffers.small();
    ByteBuffer buffer = small;
    Ending failing = ofReading;
    try {
      while (true) {
        failing = ofReading;
        int count = from.read(buffer.clear());
        failing = ofWriting;
        if (count < 0) {
          to.shutdownOutput();
          return;
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        count(from, count);
        buffer = buffers.next(buffer, small, count);
      }
    } catch (IOException e) {
      breakOff(failing);
    } finally {
      buffers.giveBack(buffer, small);
    }
  }

  /** Each counter has one thread that writes it. */
  @SuppressWarnings({"NonAtomicVolatileUpdate", "ReferenceEquality"})
  private void count(SocketChannel from, int count) {
    if (from == client) {
      fromClient += count;
      target.passed().in(count);
    } else {
      toClient += count;
      target.passed().out(count);
    }
  }

  /** Takes what the client sends until it gives up, and never answers. */
  private void swallow() {
    ending.compareAndSet(null, Ending.DROPPED);
    ByteBuffer buffer = Buffers.small();
    try {
      while (client.read(buffer.clear()) >= 0) {}
    } catch (IOException e) {
      // It gave up.
    }
    close(client);
  }

  /** Ends it because the proxy stops. */
  void stop() {
    breakOff(Ending.STOPPED);
  }

  /** Ends it at once, with a reset for the side that is still open. */
  private void breakOff(Ending why) {
    if (ending.compareAndSet(null, why) || why == Ending.STOPPED) {
      reset(client);
      reset(server);
    }
  }

  private static void reset(@Nullable SocketChannel channel) {
    if (channel != null) {
      try {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException e) {
        // Then it is closed in the ordinary way.
      }
      close(channel);
    }
  }

  private static void close(@Nullable SocketChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // It is of no use any more.
      }
    }
  }

  /** The line for the access log now that it has ended. */
  AccessEntry entry() {
    Ending how = ending.get();
    return new AccessEntry(
        target.port().name(),
        source,
        Optional.ofNullable(endpoint),
        fromClient,
        toClient,
        Duration.ofNanos(System.nanoTime() - begin),
        how == null ? Ending.CLOSED : how);
  }
}
