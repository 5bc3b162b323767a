package dev.portolan.server;

import dev.portolan.api.transport.Address;
import dev.portolan.server.access.ClientLines;
import dev.portolan.server.access.Gatekeeper;
import dev.portolan.server.access.PeerRule;
import dev.portolan.tls.CipherOrder;
import dev.portolan.tls.ReloadingTls;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCredentials;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.NettySslContextServerCredentials;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Opens listeners. */
final class Transport {
  /** The shortest time between two requests of one client for the same thing. */
  private static final long PINGED_SECONDS = 5;

  /**
   * How many calls a client may cancel per {@link #RESET_SECONDS}, for each call that it may have
   * open: twice. A client that begins calls only to cancel them exceeds that.
   */
  private static final int RESETS_PER_CALL = 2;

  private static final int RESET_SECONDS = 10;

  /**
   * They write a stack trace for each request that is too large, for each stream that is reset, and
   * for each connection that ends; the client and our own log already get an error. Held strongly
   * so that their level stays.
   */
  private static final List<Logger> LOUD =
      Stream.of(
              "io.grpc.netty.NettyServerStream",
              "io.grpc.netty.NettyServerHandler",
              "io.grpc.netty.NettyServerTransport")
          .map(Logger::getLogger)
          .toList();

  static {
    LOUD.forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  private final Options options;
  private final EventLoopGroup loops;
  private final ClientLines faults;

  /** A server that listens, and where. */
  record Open(Server server, Address address) {}

  Transport(Options options, EventLoopGroup loops, ClientLines faults) {
    this.options = options;
    this.loops = loops;
    this.faults = faults;
  }

  /** Listens, and serves what {@code services} adds. */
  Open open(ListenAddress listener, Consumer<ServerBuilder<?>> services) {
    return switch (listener.address()) {
      case Address.Unix unix -> unix(unix, services);
      case Address.Tcp tcp -> tcp(tcp, listener.tls(), services);
      case Address.InProcess name -> inProcess(name, services);
    };
  }

  private Open unix(Address.Unix address, Consumer<ServerBuilder<?>> services) {
    SocketFile.clear(address.path());
    try {
      PeerRule rule = PeerRule.of(options.access());
      Server server =
          start(
              address,
              netty(
                      UnixDomainSocketAddress.of(address.path()),
                      InsecureServerCredentials.create(),
                      guarded(NioServerDomainSocketChannel::new, address, Optional.of(rule)))
                  // gRPC sets it on every channel, and Netty complains where it means nothing.
                  .withChildOption(ChannelOption.SO_KEEPALIVE, null),
              services);
      SocketFile.protect(address.path(), options.access().ownGroup());
      return new Open(server, address);
    } catch (IOException | UncheckedIOException e) {
      throw cannotListen(address, e);
    }
  }

  private Open tcp(
      Address.Tcp address, Optional<TlsFiles> tls, Consumer<ServerBuilder<?>> services) {
    InetSocketAddress socket =
        address.host().isEmpty()
            ? new InetSocketAddress(address.port())
            : new InetSocketAddress(address.host(), address.port());
    if (socket.isUnresolved()) {
      throw new ListenException("%s: unknown host '%s'".formatted(address, address.host()), null);
    }
    ServerCredentials credentials = credentials(address, socket.getAddress(), tls);
    Server server =
        start(
            address,
            netty(
                socket,
                credentials,
                guarded(NioServerSocketChannel::new, address, Optional.empty())),
            services);
    return new Open(server, new Address.Tcp(address.host(), server.getPort()));
  }

  /** Lets in only clients with a certificate of the authority. */
  private static SslContext context(ReloadingTls material) throws SSLException {
    return GrpcSslContexts.configure(
            SslContextBuilder.forServer(material.keyManager())
                .trustManager(material.trustManager())
                .clientAuth(ClientAuth.REQUIRE),
            SslProvider.JDK)
        .ciphers(
            CipherOrder.cheapFirst(Http2SecurityUtil.CIPHERS), SupportedCipherSuiteFilter.INSTANCE)
        .build();
  }

  private ServerCredentials credentials(
      Address.Tcp address, InetAddress host, Optional<TlsFiles> tls) {
    if (tls.isPresent()) {
      try {
        return NettySslContextServerCredentials.create(context(tls.get().load(options.log())));
      } catch (TlsException | SSLException e) {
        throw new ListenException(address + ": " + e.getMessage(), e);
      }
    }
    if (!options.access().insecureLoopback()) {
      throw new ListenException(
          address
              + ": a port needs certificates; specify a key, a certificate and an authority, or"
              + " listen on a unix socket",
          null);
    }
    if (!host.isLoopbackAddress()) {
      throw new ListenException(
          address
              + ": without certificates only clients on this machine can be served; listen on"
              + " 127.0.0.1, or specify a key, a certificate and an authority",
          null);
    }
    return InsecureServerCredentials.create();
  }

  private Open inProcess(Address.InProcess address, Consumer<ServerBuilder<?>> services) {
    return new Open(
        start(address, InProcessServerBuilder.forName(address.name()), services), address);
  }

  private NettyServerBuilder netty(
      SocketAddress address, ServerCredentials credentials, Supplier<ServerChannel> channels) {
    long silent = options.limits().silent().toNanos();
    return NettyServerBuilder.forAddress(address, credentials)
        .channelFactory(channels::get)
        .bossEventLoopGroup(loops)
        .workerEventLoopGroup(loops)
        .maxConcurrentCallsPerConnection(options.limits().streamsPerConnection())
        .maxRstFramesPerWindow(
            RESETS_PER_CALL * options.limits().streamsPerConnection(), RESET_SECONDS)
        .handshakeTimeout(silent, TimeUnit.NANOSECONDS)
        .keepAliveTime(silent, TimeUnit.NANOSECONDS)
        .keepAliveTimeout(silent, TimeUnit.NANOSECONDS)
        .permitKeepAliveTime(PINGED_SECONDS, TimeUnit.SECONDS)
        .permitKeepAliveWithoutCalls(true);
  }

  private Supplier<ServerChannel> guarded(
      Supplier<ServerChannel> channels, Address address, Optional<PeerRule> rule) {
    Limits limits = options.limits();
    Gatekeeper gatekeeper =
        new Gatekeeper(address, rule, limits.connections(), limits.silent(), faults);
    return () -> {
      ServerChannel channel = channels.get();
      channel.pipeline().addLast(gatekeeper);
      return channel;
    };
  }

  private Server start(
      Address address, ServerBuilder<?> builder, Consumer<ServerBuilder<?>> services) {
    services.accept(builder);
    try {
      // gRPC's threads only leave notes for those of the streams.
      return builder
          .directExecutor()
          .maxInboundMessageSize(options.limits().requestBytes())
          .build()
          .start();
    } catch (IOException e) {
      throw cannotListen(address, e);
    }
  }

  private static ListenException cannotListen(Address address, Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new ListenException(
        "%s: cannot listen: %s; choose another address".formatted(address, cause.getMessage()), e);
  }
}
