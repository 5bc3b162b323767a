package dev.portolan.lab;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client in the lab: opens connections from one actor's address, and says what became of them.
 */
public final class Probe {
  /** Long enough for an answer or a refusal on a very busy machine. */
  public static final Duration PATIENT = Duration.ofSeconds(20);

  /** Long enough to conclude that there is no answer. */
  public static final Duration SHORT = Duration.ofMillis(400);

  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 40_000;
  private static final Map<String, ReentrantLock> SCTP_LOCKS = new ConcurrentHashMap<>();

  private final Actor actor;
  private final Namespace namespace;
  private final AtomicInteger ports;

  Probe(Actor actor, Namespace namespace, AtomicInteger ports) {
    this.actor = actor;
    this.namespace = namespace;
    this.ports = ports;
  }

  /** Asks once over a new connection; an answer or a refusal may take its time. */
  public Reply ask(Protocol protocol, Ip address, int port) {
    return ask(protocol, address, port, PATIENT);
  }

  /** Asks once over a new connection, and waits no longer than {@code patience}. */
  public Reply ask(Protocol protocol, Ip address, int port, Duration patience) {
    try (ClientFlow flow = open(protocol, address, port)) {
      return flow.ask(patience);
    } catch (UncheckedIOException e) {
      return new Reply.Broken(e.toString());
    }
  }

  /** Opens a flow that can be asked more than once. */
  public ClientFlow open(Protocol protocol, Ip address, int port) {
    InetSocketAddress target = AnswerLine.socketAddress(address, port);
    StandardProtocolFamily family =
        address.family() == IpFamily.IPV4
            ? StandardProtocolFamily.INET
            : StandardProtocolFamily.INET6;
    try {
      return namespace.<ClientFlow, IOException>call(() ->
          switch (protocol) {
            case TCP -> tcp(family, address.family(), target);
            case UDP -> udp(family, address.family(), target);
            case SCTP -> sctp(address, port);
          });
    } catch (IOException e) {
      throw new LabException(
          actor + " could not open a socket to " + target + ": " + e.getMessage(), e);
    }
  }

  private ClientFlow tcp(StandardProtocolFamily family, IpFamily source, InetSocketAddress target)
      throws IOException {
    SocketChannel channel = SocketChannel.open(family);
    bind(channel::bind, source);
    return new TcpFlow(channel, target);
  }

  private ClientFlow udp(StandardProtocolFamily family, IpFamily source, InetSocketAddress target)
      throws IOException {
    DatagramChannel channel = DatagramChannel.open(family);
    bind(channel::bind, source);
    try {
      channel.connect(target);
    } catch (ConnectException e) {
      // A program of the node's own refuses it before a datagram is sent.
      channel.close();
      return new RefusedFlow();
    }
    return new UdpFlow(channel);
  }

  private ClientFlow sctp(Ip address, int port) throws IOException {
    Ip own = actor.address(address.family());
    RawSocket socket = RawSocket.open(SctpPacket.PROTOCOL, own);
    socket.connect(address);
    return new SctpFlow(
        socket,
        new Reply.Peer(own, nextPort()),
        new Reply.Peer(address, port),
        SCTP_LOCKS.computeIfAbsent(own + " " + address, key -> new ReentrantLock()));
  }

  private int nextPort() {
    return FIRST_PORT + Math.floorMod(ports.getAndIncrement(), PORTS);
  }

  /** A flow that came to nothing. */
  private record RefusedFlow() implements ClientFlow {
    @Override
    public Reply ask(Duration patience) {
      return new Reply.Rejected();
    }

    @Override
    public void close() {}
  }

  private interface Binding {
    Object bind(InetSocketAddress address) throws IOException;
  }

  /** Binds to a port that was not used for long: a new connection never meets an old one. */
  private void bind(Binding binding, IpFamily source) throws IOException {
    for (int attempt = 0; ; attempt++) {
      try {
        binding.bind(AnswerLine.socketAddress(actor.address(source), nextPort()));
        return;
      } catch (BindException e) {
        if (attempt >= 100) {
          throw e;
        }
      }
    }
  }
}
