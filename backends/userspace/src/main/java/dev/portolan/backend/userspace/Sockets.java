package dev.portolan.backend.userspace;

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
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Opens sockets in a network namespace. A socket belongs to the namespace of the thread that opens
 * it, whichever uses it later; so where it is not this process's own, one thread stays there and
 * opens them all.
 */
final class Sockets implements AutoCloseable {
  private final LinkedBlockingQueue<FutureTask<?>> orders = new LinkedBlockingQueue<>();
  private final @Nullable Thread opener;

  private interface Opening<T> {
    T open() throws IOException;
  }

  Sockets(Optional<Path> namespace) {
    opener =
        namespace
            .map(path ->
                Thread.ofPlatform()
                    .daemon()
                    .name("userspace-sockets")
                    .start(() -> new NetworkNamespace(path).visit(this::serve)))
            .orElse(null);
  }

  /** Returns how many sockets were opened. */
  private Integer serve() {
    int opened = 0;
    try {
      while (true) {
        orders.take().run();
        opened++;
      }
    } catch (InterruptedException e) {
      return opened;
    }
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

  private <T> T open(Opening<T> opening) throws IOException {
    if (opener == null) {
      return opening.open();
    }
    FutureTask<T> order = new FutureTask<>(opening::open);
    orders.add(order);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return order.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw e.getCause() instanceof IOException failure
              ? failure
              : new IOException(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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
