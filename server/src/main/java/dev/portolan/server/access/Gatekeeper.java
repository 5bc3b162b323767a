package dev.portolan.server.access;

import dev.portolan.api.transport.Address;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/** Looks at each new connection of a listener before anything is read from it. */
@Sharable
public final class Gatekeeper extends ChannelInboundHandlerAdapter {
  private static final ChannelOption<UnixDomainPrincipal> PEER =
      NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED);

  private final Address address;
  private final Optional<PeerRule> rule;
  private final int most;
  private final Consumer<String> log;
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * Guards {@code address}.
   *
   * @param rule which peers may connect; all if there is none
   * @param most how many may be in at once
   */
  public Gatekeeper(Address address, Optional<PeerRule> rule, int most, Consumer<String> log) {
    this.address = address;
    this.rule = rule;
    this.most = most;
    this.log = log;
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
      context.fireChannelRead(accepted);
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
    log.accept("%s: connection rejected: %s".formatted(address, why));
    connection.unsafe().closeForcibly();
  }
}
