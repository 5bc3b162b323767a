package dev.portolan.cli.daemon;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A port of loopback that leads to another one, and can be shut. */
final class Gate implements AutoCloseable {
  private final ServerSocket door;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean shut;

  Gate(int target) throws IOException {
    this.target = target;
    this.door = new ServerSocket();
    door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    threads.execute(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  /** What was connected breaks, and nothing new gets through. */
  void shut() throws IOException {
    shut = true;
    for (Socket socket : open) {
      socket.close();
    }
  }

  void reopen() {
    shut = false;
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket guest = door.accept();
        if (shut) {
          guest.close();
        } else {
          threads.execute(() -> connect(guest));
        }
      } catch (IOException e) {
        // It was closed, or a guest left.
      }
    }
  }

  private void connect(Socket guest) {
    try (guest;
        Socket host = new Socket(InetAddress.getLoopbackAddress(), target)) {
      open.add(guest);
      open.add(host);
      if (shut) {
        shut();
      }
      threads.execute(() -> pump(host, guest));
      pump(guest, host);
    } catch (IOException e) {
      // One side is gone.
    } finally {
      open.remove(guest);
    }
  }

  private void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side is gone, and now the other too.
    } finally {
      open.remove(from);
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    shut();
    threads.shutdownNow();
  }
}
