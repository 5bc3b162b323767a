package dev.portolan.server.access;

import dev.portolan.api.transport.Address;
import dev.portolan.core.error.Failures;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/** Looks at each new connection of a listener before anything is read from it. */
@Sharable
public final class Gatekeeper extends ChannelInboundHandlerAdapter {
  private static final ChannelOption<UnixDomainPrincipal> PEER =
      NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED);

  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

  private final Address address;
  private final Optional<PeerRule> rule;
  private final int most;
  private final Duration handshake;
  private final ClientLines faults;
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * Guards {@code address}.
   *
   * @param rule which peers may connect; all if there is none
   * @param most how many may be in at once
   * @param handshake how long a client may take for TLS's handshake, if there is one
   * @param faults notified of what clients do wrong
   */
  public Gatekeeper(
      Address address, Optional<PeerRule> rule, int most, Duration handshake, ClientLines faults) {
    this.address = address;
    this.rule = rule;
    this.most = most;
    this.handshake = handshake;
    this.faults = faults;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    Channel connection = (Channel) accepted;
    Optional<String> objection = rule.flatMap(known -> objection(known, connection));
    if (objection.isPresent()) {
      refuse(connection, objection.get());
    } else if (connections.incrementAndGet() > most) {
      connections.decrementAndGet();
      refuse(connection, "the limit of %d connections is reached".formatted(most));
    } else {
      connection.closeFuture().addListener(closed -> connections.decrementAndGet());
      var _ =
          context
              .executor()
              .schedule(() -> closeUnknown(connection), handshake.toNanos(), TimeUnit.NANOSECONDS);
      connection.pipeline().addLast(new FrameGuard(faults));
      context.fireChannelRead(accepted);
    }
  }

  /** There may be no file descriptor left for a moment; until there is, none is asked for. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Failures.ofProcess().add("brain listener", cause);
    context.channel().config().setAutoRead(false);
    var _ =
        context
            .executor()
            .schedule(
                () -> context.channel().config().setAutoRead(true),
                AFTER_A_FAILURE.toNanos(),
                TimeUnit.NANOSECONDS);
  }

  /** Closes a connection whose peer is still unknown: gRPC's own timeout begins after TLS. */
  private static void closeUnknown(Channel connection) {
    SslHandler tls = connection.pipeline().get(SslHandler.class);
    if (tls != null && !tls.handshakeFuture().isDone()) {
      var _ = connection.close();
    }
  }

  private static Optional<String> objection(PeerRule rule, Channel connection) {
    UnixDomainPrincipal peer = connection.config().getOption(PEER);
    if (peer == null) {
      return Optional.of("the system does not provide the peer's credentials");
    }
    return rule.allows(peer.user(), peer.group())
        ? Optional.empty()
        : Optional.of(
            "neither user %s nor group %s is allowed to connect"
                .formatted(peer.user().getName(), peer.group().getName()));
  }

  private void refuse(Channel connection, String why) {
    faults.say(
        Caller.place(connection.remoteAddress()),
        "%s: connection rejected: %s".formatted(address, why));
    connection.unsafe().closeForcibly();
  }
}
