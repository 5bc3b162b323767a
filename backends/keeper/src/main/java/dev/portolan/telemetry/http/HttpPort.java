package dev.portolan.telemetry.http;

import dev.portolan.core.error.Threads;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Function;

/**
 * One open port that speaks HTTP/1.1, with a virtual thread for each connection.
 *
 * <p>It holds at most {@value #MOST_CONNECTIONS} connections; when one more comes, the oldest is
 * closed. So slow, idle or hostile clients can use up neither memory nor the port.
 */
public final class HttpPort implements AutoCloseable {
  static final int MOST_CONNECTIONS = 100;

  private final Acceptor acceptor;
  private final ServerSocketChannel channel;
  private final int number;
  private final Function<Request, Response> handler;
  private final SequencedSet<Socket> connections = new LinkedHashSet<>();
  private boolean closed;

  private HttpPort(
      Acceptor acceptor, ServerSocketChannel channel, Function<Request, Response> handler) {
    this.acceptor = acceptor;
    this.channel = channel;
    this.number = channel.socket().getLocalPort();
    this.handler = handler;
  }

  /**
   * Opens the port and answers from now on.
   *
   * @throws PortUnavailableException if it cannot be opened, with the system's reason
   */
  public static HttpPort open(BindAddress address, Function<Request, Response> handler) {
    ServerSocketChannel channel = address.open(MOST_CONNECTIONS);
    try {
      HttpPort port = new HttpPort(Acceptor.shared(), channel, handler);
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
        new HttpConnection(socket, handler).serve();
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
    if (connections.size() >= MOST_CONNECTIONS) {
      closeQuietly(connections.removeFirst());
    }
    return connections.add(socket);
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
      connections.forEach(HttpPort::closeQuietly);
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
