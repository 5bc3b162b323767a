package dev.portolan.client;

import dev.portolan.api.transport.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Stands before a server, and cuts connections after some bytes, or lets nothing through. */
final class ChaosProxy implements AutoCloseable {
  private final ServerSocketChannel listener;
  private final SocketAddress server;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final Semaphore flowing = new Semaphore(1);

  /** After how many bytes from the server the next connection is cut. */
  private volatile LongSupplier cuts = () -> Long.MAX_VALUE;

  private final AtomicInteger cut = new AtomicInteger();

  private ChaosProxy(SocketAddress server) throws IOException {
    this.server = server;
    this.listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread.ofVirtual().start(this::accept);
  }

  static ChaosProxy before(Path socket) throws IOException {
    return new ChaosProxy(UnixDomainSocketAddress.of(socket));
  }

  Address address() throws IOException {
    return new Address.Tcp("127.0.0.1", ((InetSocketAddress) listener.getLocalAddress()).getPort());
  }

  /** Cuts each connection from now on after as many bytes as {@code cuts} says. */
  void cutAfter(LongSupplier bytes) {
    cuts = bytes;
  }

  /** How many connections were cut. */
  int cut() {
    return cut.get();
  }

  /** Cuts every connection now. */
  void cutAll() throws IOException {
    for (SocketChannel channel : open) {
      channel.close();
    }
  }

  /** Lets nothing through, and says nothing. */
  void freeze() {
    flowing.acquireUninterruptibly();
  }

  void thaw() {
    flowing.release();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel client = listener.accept();
        SocketChannel upstream;
        try {
          upstream = SocketChannel.open(server);
        } catch (IOException e) {
          client.close();
          continue;
        }
        open.add(client);
        open.add(upstream);
        long budget = cuts.getAsLong();
        Thread.ofVirtual().start(() -> pump(client, upstream, Long.MAX_VALUE));
        Thread.ofVirtual().start(() -> pump(upstream, client, budget));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void pump(SocketChannel from, SocketChannel to, long budget) {
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    long left = budget;
    try (from;
        to) {
      while (left > 0) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), left));
        if (from.read(buffer) < 0) {
          return;
        }
        flowing.acquireUninterruptibly();
        flowing.release();
        left -= buffer.flip().remaining();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
      }
      cut.incrementAndGet();
    } catch (IOException e) {
      // The other side is gone, and so is this one now.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cutAll();
    flowing.release();
  }
}
