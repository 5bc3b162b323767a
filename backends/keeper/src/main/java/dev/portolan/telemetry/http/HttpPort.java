package dev.portolan.telemetry.http;

import dev.portolan.core.error.Threads;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;

/**
 * One open port that speaks HTTP/1.1, with a virtual thread for each connection.
 *
 * <p>It holds at most {@value #MOST_CONNECTIONS} connections; when one more comes, the oldest is
 * closed. So slow, idle or hostile clients can use up neither memory nor the port.
 */
public final class HttpPort implements AutoCloseable {
  private final Acceptor acceptor;
  private final ServerSocketChannel channel;
  private final int number;
  private final PortOptions options;
  private final Function<Request, Response> handler;

  /** The oldest first, each with its thread. */
  private final SequencedMap<Socket, Thread> connections = new LinkedHashMap<>();

  private boolean closed;

  private HttpPort(
      Acceptor acceptor,
      ServerSocketChannel channel,
      PortOptions options,
      Function<Request, Response> handler) {
    this.acceptor = acceptor;
    this.channel = channel;
    this.number = channel.socket().getLocalPort();
    this.options = options;
    this.handler = handler;
  }

  /**
   * Opens the port and answers from now on.
   *
   * @throws PortUnavailableException if it cannot be opened, with the system's reason
   */
  public static HttpPort open(BindAddress address, Function<Request, Response> handler) {
    return open(address, PortOptions.DEFAULT, handler);
  }

  /** The same for clients of another kind. */
  public static HttpPort open(
      BindAddress address, PortOptions options, Function<Request, Response> handler) {
    ServerSocketChannel channel = address.open(options.mostConnections());
    try {
      HttpPort port = new HttpPort(Acceptor.shared(), channel, options, handler);
      port.acceptor.add(channel, port::accept);
      return port;
    } catch (IOException e) {
      closeQuietly(channel);
      throw new PortUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Which number it has. */
  public int number() {
    return number;
  }

  /** Accepts one connection, so that a flood of them does not hold up other ports. */
  private void accept() throws IOException {
    SocketChannel accepted = channel.accept();
    if (accepted != null) {
      Threads.virtual("HTTP connection").start(() -> serve(accepted.socket()));
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      if (enter(socket)) {
        HttpConnection.of(socket, options, handler).serve();
      }
    } catch (IOException e) {
      // The client went away, or was closed for a newer one.
    } finally {
      leave(socket);
    }
  }

  private synchronized boolean enter(Socket socket) {
    if (closed) {
      return false;
    }
    if (connections.size() >= options.mostConnections()) {
      end(connections.pollFirstEntry());
    }
    connections.put(socket, Thread.currentThread());
    return true;
  }

  /** Closes a connection, and interrupts its thread: it may wait for something else. */
  private static void end(Map.Entry<Socket, Thread> connection) {
    closeQuietly(connection.getKey());
    connection.getValue().interrupt();
  }

  private synchronized void leave(Socket socket) {
    connections.remove(socket);
  }

  /** Closes the port and every connection; on return the port is free. */
  @Override
  public void close() {
    closeAll(List.of(this));
  }

  /** Closes these ports, which takes hardly longer than to close one; on return all are free. */
  public static void closeAll(Collection<HttpPort> ports) {
    ports.forEach(HttpPort::end);
    ports.stream().findAny().ifPresent(port -> port.acceptor.awaitClosed());
  }

  private void end() {
    closeQuietly(channel);
    synchronized (this) {
      closed = true;
      connections.sequencedEntrySet().forEach(HttpPort::end);
    }
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }
}
