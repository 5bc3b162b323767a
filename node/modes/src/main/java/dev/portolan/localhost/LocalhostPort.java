package dev.portolan.localhost;

import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.localhost.LocalhostNodePorts.Place;
import dev.portolan.localhost.LocalhostNodePorts.Wanted;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A nodePort that is served on localhost. Each connection has two virtual threads. */
final class LocalhostPort implements AutoCloseable {
  private static final int CONNECT_TIMEOUT = (int) Duration.ofSeconds(5).toMillis();
  private static final int BACKLOG = 128;
  private static final String PLACE = "localhost nodePort";

  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private Wanted wanted;

  /** Where all clients of localhost go, and until when. */
  private @Nullable Endpoint pinned;

  private long pinnedUntil;

  private LocalhostPort(ServerSocket server, Wanted wanted) {
    this.server = server;
    this.wanted = wanted;
  }

  /** Listens; fails where another program has the port. */
  static LocalhostPort open(Place place, Wanted wanted) throws IOException {
    InetAddress loopback =
        InetAddress.ofLiteral(place.family() == IpFamily.IPV4 ? "127.0.0.1" : "::1");
    LocalhostPort port =
        new LocalhostPort(new ServerSocket(place.port(), BACKLOG, loopback), wanted);
    Threads.virtual(PLACE).named("localhost:" + place.port()).lasting().start(port::accept);
    return port;
  }

  /** New connections go there from now on; those that are open stay where they are. */
  synchronized void serve(Wanted now) {
    if (now.affinitySeconds() != wanted.affinitySeconds()
        || (pinned != null && !now.endpoints().contains(pinned))) {
      pinned = null;
    }
    wanted = now;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        sockets.add(client);
        Threads.virtual("localhost connection").start(() -> relay(client));
      } catch (IOException e) {
        if (!server.isClosed()) {
          Failures.ofProcess().add(PLACE, e);
          // Out of file descriptors, for instance: it may pass.
          boolean _ = Threads.pause(Duration.ofMillis(100));
        }
      }
    }
  }

  /** One of the endpoints; with affinity always the same, as all clients are one node. */
  private synchronized Optional<Endpoint> choose() {
    List<Endpoint> endpoints = wanted.endpoints();
    if (endpoints.isEmpty()) {
      return Optional.empty();
    }
    long now = System.nanoTime();
    Endpoint chosen = pinned;
    if (chosen == null || now - pinnedUntil >= 0) {
      chosen = endpoints.get(ThreadLocalRandom.current().nextInt(endpoints.size()));
    }
    if (wanted.affinitySeconds() > 0) {
      pinned = chosen;
      pinnedUntil = now + Duration.ofSeconds(wanted.affinitySeconds()).toNanos();
    }
    return Optional.of(chosen);
  }

  private void relay(Socket client) {
    Socket endpoint = new Socket();
    sockets.add(endpoint);
    try (client;
        endpoint) {
      Optional<Endpoint> chosen = choose();
      if (chosen.isEmpty() || server.isClosed()) {
        return;
      }
      endpoint.connect(
          new InetSocketAddress(
              InetAddress.getByAddress(chosen.get().address().toBytes()), chosen.get().port()),
          CONNECT_TIMEOUT);
      Thread back = Threads.virtual("localhost connection").start(() -> copy(endpoint, client));
      copy(client, endpoint);
      back.join();
    } catch (IOException e) {
      // The client sees that its connection ends.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sockets.remove(client);
      sockets.remove(endpoint);
    }
  }

  /** Passes bytes on until there are no more; the other direction may go on. */
  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  /** Stops to listen, and ends all connections. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // Nothing is accepted any more.
    }
    sockets.forEach(LocalhostPort::close);
  }
}
