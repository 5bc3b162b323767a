package dev.portolan.lab;

import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All servers of the lab, in one thread: each request gets one {@link AnswerLine}. The sockets are
 * opened inside namespaces; the thread that serves them need not be there.
 */
final class Servers implements AutoCloseable {
  private final Selector selector;
  private final Thread thread;
  private final SctpServers sctp = new SctpServers();
  private final Set<String> listening = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** The name in a socket's answers. */
  private record Listener(String name, int port) {}

  Servers() throws IOException {
    selector = Selector.open();
    thread = Threads.platform("lab servers").lasting().start(this::serve);
  }

  /** Listens inside {@code namespace}; once for each address, port and protocol. */
  void listen(Namespace namespace, String name, Protocol protocol, Ip address, int port) {
    if (!listening.add(namespace + " " + address.withPort(port) + "/" + protocol)) {
      return;
    }
    InetSocketAddress socket = AnswerLine.socketAddress(address, port);
    StandardProtocolFamily family =
        address.family() == IpFamily.IPV4
            ? StandardProtocolFamily.INET
            : StandardProtocolFamily.INET6;
    try {
      if (protocol == Protocol.SCTP) {
        sctp.listen(namespace, name, address, port);
        return;
      }
      SelectableChannel channel =
          namespace.<SelectableChannel, IOException>call(() ->
              protocol == Protocol.TCP
                  ? ServerSocketChannel.open(family).bind(socket, 1024)
                  : DatagramChannel.open(family).bind(socket));
      channel.configureBlocking(false);
      int interest = protocol == Protocol.TCP ? SelectionKey.OP_ACCEPT : SelectionKey.OP_READ;
      channel.register(selector, interest, new Listener(name, port));
      selector.wakeup();
    } catch (IOException e) {
      throw new LabException(
          name + " could not listen on " + socket + "/" + protocol + ": " + e.getMessage(), e);
    }
  }

  private void serve() {
    ByteBuffer buffer = ByteBuffer.allocate(2048);
    while (!closed) {
      try {
        selector.select(key -> answer(key, buffer));
      } catch (IOException e) {
        throw new LabException("the lab's servers stopped: " + e.getMessage(), e);
      }
    }
  }

  private static void answer(SelectionKey key, ByteBuffer buffer) {
    Listener listener = (Listener) key.attachment();
    try {
      switch (key.channel()) {
        case ServerSocketChannel server -> {
          SocketChannel client = server.accept();
          if (client != null) {
            client.configureBlocking(false);
            client.register(key.selector(), SelectionKey.OP_READ, listener);
          }
        }
        case SocketChannel client -> answer(client, listener, buffer);
        case DatagramChannel channel -> answer(channel, listener, buffer);
        default -> throw new IllegalStateException("who is " + key.channel() + "?");
      }
    } catch (IOException e) {
      // A client that disconnected; a listener is not closed by its clients.
      if (key.channel() instanceof SocketChannel client) {
        close(client);
      }
    }
  }

  private static void answer(SocketChannel client, Listener listener, ByteBuffer buffer)
      throws IOException {
    buffer.clear();
    int read = client.read(buffer);
    if (read < 0) {
      client.close();
    } else if (read > 0) {
      client.write(line(listener, client.getRemoteAddress()));
    }
  }

  private static void answer(DatagramChannel channel, Listener listener, ByteBuffer buffer)
      throws IOException {
    buffer.clear();
    SocketAddress client = channel.receive(buffer);
    if (client != null) {
      channel.send(line(listener, client), client);
    }
  }

  private static ByteBuffer line(Listener listener, SocketAddress client) {
    return ByteBuffer.wrap(AnswerLine.line(listener.name, listener.port, AnswerLine.peer(client)));
  }

  private static void close(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // There is no one left to report it to.
    }
  }

  @Override
  public void close() {
    closed = true;
    sctp.close();
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    selector.keys().forEach(key -> close(key.channel()));
    close(selector);
  }
}
