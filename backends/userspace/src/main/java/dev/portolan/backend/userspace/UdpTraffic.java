package dev.portolan.backend.userspace;

import dev.portolan.backend.userspace.AccessEntry.Ending;
import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All packets of UDP, in both directions. A thread per socket would need room for the largest
 * packet in each; one thread that waits for all sockets needs it once. It never waits for a socket
 * that cannot take a packet: that one is lost, as packets of UDP may be.
 *
 * <p>Each client has a socket of its own to its endpoint, so that answers find their way back. It
 * ends when it was idle for some time, when the endpoint refuses packets, or does not serve any
 * more; the client's next packet then goes to another endpoint.
 */
final class UdpTraffic implements AutoCloseable {
  private static final String THREAD = "userspace-udp";

  private static final int LARGEST = 65_535;

  /** Packets of more clients than this are lost, so that a flood does not take all memory. */
  private static final int MOST_SESSIONS = 20_000;

  /** How many packets of one socket are passed on before others have their turn. */
  private static final int BURST = 64;

  private static final Duration SWEEP = Duration.ofSeconds(1);

  private final Sockets sockets;
  private final Duration idle;
  private final Consumer<AccessEntry> access;
  private final Function<Endpoint, InetSocketAddress> reached;
  private final Selector selector;
  private final ConcurrentLinkedQueue<Runnable> orders = new ConcurrentLinkedQueue<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(LARGEST);
  private final List<CompletableFuture<Void>> removed = new ArrayList<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean closed;
  private int sessions;
  private long nextSweep = System.nanoTime();

  UdpTraffic(Sockets sockets, UserspaceOptions options) {
    this.sockets = sockets;
    this.idle = options.udpIdle();
    this.access = options.access();
    this.reached = options.reached();
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new IllegalStateException("no selector can be opened: " + e.getMessage(), e);
    }
    Threads.platform(THREAD).lasting().start(this::run);
  }

  /** Takes the packets of {@code portal}; any thread. */
  void add(UdpPortal portal) {
    order(() -> {
      try {
        portal.channel().register(selector, SelectionKey.OP_READ, portal);
      } catch (IOException e) {
        // It was closed meanwhile.
      }
    });
  }

  /**
   * Takes no packets of {@code portal} any more, and forgets its clients. Returns when its address
   * is free; any thread.
   */
  void remove(UdpPortal portal) {
    CompletableFuture<Void> freed = new CompletableFuture<>();
    order(() -> {
      List.copyOf(portal.sessions.values()).forEach(session -> end(session, Ending.ENDPOINT_GONE));
      close(portal.channel());
      removed.add(freed);
    });
    Object _ = CompletableFuture.anyOf(freed, ended).join();
  }

  private void order(Runnable order) {
    orders.add(order);
    selector.wakeup();
  }

  private void run() {
    try {
      while (!closed) {
        turn();
      }
      try (selector) {
        endAll();
      } finally {
        ended.complete(null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void turn() throws IOException {
    selector.select(SWEEP.toMillis());
    for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
      attempt(order);
    }
    free();
    Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
    while (ready.hasNext()) {
      SelectionKey key = ready.next();
      ready.remove();
      attempt(() -> pass(key));
    }
    long now = System.nanoTime();
    if (now - nextSweep >= 0) {
      nextSweep = now + SWEEP.toNanos();
      sweep(now);
    }
  }

  /** One client's failure must not end the thread that serves all of them. */
  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      Failures.ofProcess().add(THREAD, e);
    }
  }

  /** A socket that was closed is open to the system until its selector looks again. */
  private void free() throws IOException {
    if (!removed.isEmpty()) {
      selector.selectNow();
      removed.forEach(freed -> freed.complete(null));
      removed.clear();
    }
  }

  private void pass(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    if (key.attachment() instanceof UdpPortal portal) {
      fromClients(portal);
    } else if (key.attachment() instanceof UdpSession session) {
      fromEndpoint(session);
    }
  }

  private void fromClients(UdpPortal portal) {
    for (int i = 0; i < BURST; i++) {
      try {
        if (!(portal.channel().receive(buffer.clear()) instanceof InetSocketAddress client)) {
          return;
        }
        buffer.flip();
        session(portal, client).ifPresent(this::send);
      } catch (IOException e) {
        return;
      }
    }
  }

  private void send(UdpSession session) {
    int size = buffer.remaining();
    try {
      // A connected socket of Java's sends no empty packet; such a one is lost.
      session.channel.write(buffer);
      session.sent(size, System.nanoTime());
    } catch (IOException e) {
      end(session, Ending.ENDPOINT_RESET);
    }
  }

  private void fromEndpoint(UdpSession session) {
    for (int i = 0; i < BURST; i++) {
      try {
        if (session.channel.receive(buffer.clear()) == null) {
          return;
        }
        int size = buffer.flip().remaining();
        session.portal.channel().send(buffer, session.client);
        session.received(size, System.nanoTime());
      } catch (IOException e) {
        end(session, Ending.ENDPOINT_RESET);
        return;
      }
    }
  }

  private Optional<UdpSession> session(UdpPortal portal, InetSocketAddress client)
      throws IOException {
    UdpSession known = portal.sessions.get(client);
    if (known != null && known.isServed()) {
      return Optional.of(known);
    }
    if (known != null) {
      end(known, Ending.ENDPOINT_GONE);
    }
    Ip address = Sockets.ip(client.getAddress());
    PortalTarget target = portal.target();
    Route route = target.route(address);
    if (route.verdict() != Verdict.FORWARD || sessions >= MOST_SESSIONS) {
      target.passed().turnedAway(Verdict.DROP);
      return Optional.empty();
    }
    Optional<Endpoint> endpoint =
        target.turns().next(route.pool(), address, client.getPort(), List.of());
    if (endpoint.isEmpty()) {
      return Optional.empty();
    }
    DatagramChannel channel = sockets.udp(address.family());
    try {
      channel.connect(reached.apply(endpoint.get())).configureBlocking(false);
      UdpSession session =
          new UdpSession(portal, client, endpoint.get(), channel, System.nanoTime());
      channel.register(selector, SelectionKey.OP_READ, session);
      portal.sessions.put(client, session);
      sessions++;
      target.passed().connected();
      return Optional.of(session);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private void end(UdpSession session, Ending ending) {
    if (session.portal.sessions.remove(session.client, session)) {
      sessions--;
      close(session.channel);
      access.accept(session.entry(ending, System.nanoTime()));
    }
  }

  private static void close(DatagramChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  private void sweep(long now) {
    for (UdpSession session : all()) {
      if (session.isIdle(idle, now)) {
        end(session, Ending.IDLE);
      } else if (!session.isServed()) {
        end(session, Ending.ENDPOINT_GONE);
      }
    }
  }

  private List<UdpSession> all() {
    return selector.keys().stream()
        .map(SelectionKey::attachment)
        .filter(UdpSession.class::isInstance)
        .map(UdpSession.class::cast)
        .toList();
  }

  private void endAll() {
    all().forEach(session -> end(session, Ending.STOPPED));
    selector
        .keys()
        .forEach(key -> {
          if (key.attachment() instanceof UdpPortal portal) {
            close(portal.channel());
          }
        });
  }

  /** Ends everything. */
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    ended.join();
  }
}
