package dev.portolan.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A wire to a port of this machine, that can be cut. */
final class CutProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  CutProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Breaks every connection, and lets none through. */
  void cut() {
    cut = true;
    sockets.forEach(CutProxy::close);
  }

  /** Lets connections through again. */
  void mend() {
    cut = false;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket near = listener.accept();
        if (cut) {
          near.close();
        } else {
          Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
          sockets.add(near);
          sockets.add(far);
          if (cut) {
            cut();
          }
          Thread.ofVirtual().start(() -> copy(near, far));
          Thread.ofVirtual().start(() -> copy(far, near));
        }
      } catch (IOException e) {
        // The test closed it, or the brain is gone; the client notices.
      }
    }
  }

  private void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // It was cut.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
