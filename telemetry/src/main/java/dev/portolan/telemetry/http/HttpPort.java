package dev.portolan.telemetry.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Function;

/**
 * One open port that speaks HTTP/1.1: a virtual thread that accepts, and one for each connection.
 *
 * <p>It holds so many connections at most; when one more comes, the oldest is closed. So clients
 * that are slow, idle or hostile can use up neither memory nor the port.
 */
public final class HttpPort implements AutoCloseable {
  static final int MOST_CONNECTIONS = 100;
  private static final Duration LONGEST_END = Duration.ofSeconds(1);
  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

  private final ServerSocketChannel channel;
  private final int number;
  private final Function<Request, Response> handler;
  private final Thread acceptor;
  private final SequencedSet<Socket> connections = new LinkedHashSet<>();
  private boolean closed;

  private HttpPort(ServerSocketChannel channel, Function<Request, Response> handler) {
    this.channel = channel;
    this.number = channel.socket().getLocalPort();
    this.handler = handler;
    this.acceptor = Thread.ofVirtual().name("http").unstarted(this::accept);
  }

  /**
   * Opens the port and answers from now on.
   *
   * @throws PortUnavailableException if it cannot be opened, with the system's reason
   */
  public static HttpPort open(BindAddress address, Function<Request, Response> handler) {
    HttpPort port = new HttpPort(address.open(MOST_CONNECTIONS), handler);
    port.acceptor.start();
    return port;
  }

  /** Which number it has. */
  public int number() {
    return number;
  }

  private void accept() {
    while (channel.isOpen()) {
      try {
        SocketChannel accepted = channel.accept();
        Thread.ofVirtual().start(() -> serve(accepted.socket()));
      } catch (IOException e) {
        pauseUnlessClosed();
      }
    }
  }

  /** There may be no file descriptor left for a moment; that must not close the port. */
  private void pauseUnlessClosed() {
    if (channel.isOpen()) {
      try {
        Thread.sleep(AFTER_A_FAILURE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
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
    closeQuietly(channel);
    synchronized (this) {
      closed = true;
      connections.forEach(HttpPort::closeQuietly);
    }
    awaitTheAcceptor();
  }

  /** The port is free when nobody waits for a connection to it any more. */
  private void awaitTheAcceptor() {
    try {
      acceptor.join(LONGEST_END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
