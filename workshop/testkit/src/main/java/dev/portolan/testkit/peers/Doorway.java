package dev.portolan.testkit.peers;

import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Lets programs inside a network namespace, which has no way out, reach one port of this side's
 * loopback: under the same port of their own loopback.
 */
public final class Doorway implements AutoCloseable {
  private final ServerSocket inside;
  private final int port;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Opens {@code port}; the loopback device inside must be up. */
  public Doorway(NetworkNamespace namespace, int port) {
    this.port = port;
    try {
      this.inside =
          namespace.visit(() -> new ServerSocket(port, 50, InetAddress.getLoopbackAddress()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  private void accept() {
    while (!inside.isClosed()) {
      try {
        Socket guest = inside.accept();
        threads.execute(() -> connect(guest));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void connect(Socket guest) {
    try (guest;
        Socket host = new Socket(InetAddress.getLoopbackAddress(), port)) {
      guest.setTcpNoDelay(true);
      host.setTcpNoDelay(true);
      threads.execute(() -> pump(host, guest));
      pump(guest, host);
    } catch (IOException e) {
      // One side is gone; the other learns it when its socket is closed.
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side is gone; both are closed now.
    }
  }

  /** Closes the door; what is connected through it ends. */
  @Override
  public void close() {
    try {
      inside.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
