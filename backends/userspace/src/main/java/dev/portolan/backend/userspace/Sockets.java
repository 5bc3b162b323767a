package dev.portolan.backend.userspace;

import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Opens sockets in a network namespace. A socket belongs to the namespace of the thread that opens
 * it, whichever uses it later; so where it is not this process's own, one thread stays there and
 * opens them all.
 *
 * <p>A new thread is in the namespace of the one that starts it, and waking a virtual thread may
 * start one to carry it, and others after it. So the thread that stays there wakes only a second
 * one, which is outside and hands the sockets over.
 */
final class Sockets implements AutoCloseable {
  private final LinkedBlockingQueue<Order<?>> orders = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Runnable> done = new LinkedBlockingQueue<>();
  private final @Nullable Thread opener;
  private volatile boolean closed;

  /** Opens a socket where the calling thread is. */
  interface Opening<T> {
    T open() throws IOException;
  }

  /** A socket to be opened, and the thread that waits for it. */
  private record Order<T extends Channel>(Opening<T> opening, CompletableFuture<T> result) {
    /** Opens it; running the returned action notifies the waiting thread. */
    Runnable run() {
      try {
        T channel = opening.open();
        return () -> {
          if (!result.complete(channel)) {
            close(channel);
          }
        };
      } catch (IOException | RuntimeException | Error e) {
        return () -> result.completeExceptionally(e);
      }
    }

    void refuse() {
      result.completeExceptionally(new ClosedChannelException());
    }

    private static void close(Channel channel) {
      try {
        channel.close();
      } catch (IOException e) {
        // It was of no use.
      }
    }
  }

  Sockets(Optional<Path> namespace) {
    opener = namespace.map(this::start).orElse(null);
  }

  private Thread start(Path namespace) {
    Threads.platform("userspace-sockets-done").lasting().start(this::handOver);
    return Threads.platform("userspace-sockets")
        .start(() -> {
          try {
            int _ = new NetworkNamespace(namespace).visit(this::serve);
          } finally {
            closed = true;
            done.add(() -> {});
          }
        });
  }

  /** Returns how many sockets were opened. */
  private Integer serve() {
    int opened = 0;
    try {
      while (true) {
        done.add(orders.take().run());
        opened++;
      }
    } catch (InterruptedException e) {
      return opened;
    }
  }

  /** Notifies waiting threads, until no socket is opened any more. */
  private void handOver() {
    try {
      while (!closed || !done.isEmpty()) {
        done.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    orders.forEach(Order::refuse);
  }

  /** A socket of TCP that listens to nothing yet. */
  ServerSocketChannel server(IpFamily family) throws IOException {
    return open(() -> ServerSocketChannel.open(of(family)));
  }

  /** A socket of TCP without a connection. */
  SocketChannel tcp(IpFamily family) throws IOException {
    return open(() -> SocketChannel.open(of(family)));
  }

  /** A socket of UDP without an address. */
  DatagramChannel udp(IpFamily family) throws IOException {
    return open(() -> DatagramChannel.open(of(family)));
  }

  /** Opens a socket in the namespace. */
  <T extends Channel> T open(Opening<T> opening) throws IOException {
    if (opener == null) {
      return opening.open();
    }
    Order<T> order = new Order<>(opening, new CompletableFuture<>());
    orders.add(order);
    if (closed) {
      order.refuse();
    }
    try {
      return order.result().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  private static ProtocolFamily of(IpFamily family) {
    return switch (family) {
      case IPV4 -> StandardProtocolFamily.INET;
      case IPV6 -> StandardProtocolFamily.INET6;
    };
  }

  /** Where an endpoint is. */
  static InetSocketAddress address(Endpoint endpoint) {
    return address(endpoint.address(), endpoint.port());
  }

  /** An address and port for Java's sockets. */
  static InetSocketAddress address(Ip ip, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An address of Java's sockets as the model has it. */
  static Ip ip(InetAddress address) {
    return Ip.fromBytes(address.getAddress());
  }

  @Override
  public void close() {
    if (opener != null) {
      opener.interrupt();
    }
  }
}
