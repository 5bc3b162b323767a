package dev.portolan.client;

import dev.portolan.api.Methods;
import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.NodesReply;
import dev.portolan.api.v1.NodesRequest;
import dev.portolan.api.v1.TrafficReply;
import dev.portolan.api.v1.TrafficRequest;
import dev.portolan.api.v1.WaitReply;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.core.error.Threads;
import dev.portolan.tls.ReloadingTls;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ConnectivityState;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;

/**
 * A connection to a server. It is opened on first use, and opened again after a failure.
 *
 * <p>Several may use one connection at a time.
 */
public final class Connection implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Has the kernel end a TCP connection whose packets vanish after 25 seconds, however quiet it is:
   * it asks the other kernel after ten, and again every five.
   */
  private static final Map<SocketOption<Integer>, Integer> KEEPALIVE =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 10,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 5,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

  /** What is wrong with a server that lets connect to it and says nothing. */
  static final String NO_ANSWER = "the server does not answer; is it stopped or overloaded?";

  /**
   * Several brains may share a name that has an IP address for each. Clients try these in an order
   * of their own; otherwise all of them would go to the first.
   */
  private static final Map<String, Object> ANY_OF_SEVERAL =
      Map.of(
          "loadBalancingConfig", List.of(Map.of("pick_first", Map.of("shuffleAddressList", true))));

  /**
   * Loggers silenced because we report connection errors ourselves; held strongly so that their
   * level is not garbage-collected.
   */
  private static final List<Logger> HUSHED =
      Stream.of("io.netty.bootstrap", "io.netty.util", "io.grpc").map(Logger::getLogger).toList();

  static {
    HUSHED.stream()
        .filter(logger -> logger.getLevel() == null)
        .forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  private final Address address;
  private final Options options;
  private final ManagedChannel channel;

  /** Whether the server sends heartbeats with its answers, as far as is known. */
  private volatile boolean beats;

  /**
   * How a connection behaves.
   *
   * @param mostMessageBytes the largest item that is taken
   * @param heartbeat how often the server is asked to send a heartbeat; a stream of one that does,
   *     and then sends none for two and a half times as long, is closed
   * @param keepAlive after this long without a message a server is pinged; those of grpc-go end the
   *     connection of a client that pings more often than every five minutes
   * @param patience the timeout of that answer, and of the first one
   * @param log gets what is wrong with certificates that changed
   */
  public record Options(
      int mostMessageBytes,
      Duration heartbeat,
      Duration keepAlive,
      Duration patience,
      Consumer<String> log) {
    /** Items of up to 4 MiB; a server that is gone is missed after half a minute. */
    public static final Options DEFAULT =
        new Options(
            4 << 20, Duration.ofSeconds(10), Duration.ofMinutes(6), PATIENCE, problem -> {});

    /** The same for items of up to {@code bytes}. */
    public Options mostMessageBytes(int bytes) {
      return new Options(bytes, heartbeat, keepAlive, patience, log);
    }

    /** The same with another time between signs of life. */
    public Options heartbeat(Duration interval) {
      return new Options(mostMessageBytes, interval, keepAlive, patience, log);
    }

    /** The same with other times. */
    public Options keepAlive(Duration silence, Duration answer) {
      return new Options(mostMessageBytes, heartbeat, silence, answer, log);
    }

    /** The same with an observer. */
    public Options log(Consumer<String> told) {
      return new Options(mostMessageBytes, heartbeat, keepAlive, patience, told);
    }

    /** The longest silence of a server that sends heartbeats. */
    Duration silence() {
      return heartbeat.multipliedBy(5).dividedBy(2);
    }
  }

  /** The threads that all connections share; they do not keep a program from ending. */
  private static final class Loops {
    private static final EventLoopGroup SHARED =
        new MultiThreadIoEventLoopGroup(
            2,
            Threads.platform("portolan-client")
                .factory(new DefaultThreadFactory("portolan-client", true)),
            NioIoHandler.newFactory());
  }

  private Connection(Address address, Options options, ManagedChannel channel) {
    this.address = address;
    this.options = options;
    this.channel = channel;
  }

  /** Trusts only a server with a certificate of the authority. */
  private static ChannelCredentials credentials(ReloadingTls material) {
    return TlsChannelCredentials.newBuilder()
        .keyManager(material.keyManager())
        .trustManager(material.trustManager())
        .build();
  }

  /** A connection as it is by default. */
  public static Connection open(Address address, Optional<TlsFiles> tls) throws TlsException {
    return open(address, tls, Options.DEFAULT);
  }

  /**
   * A connection to {@code address}.
   *
   * @param tls for servers behind {@code tcp://}; without, nothing is encrypted there
   * @throws TlsException where a certificate or key cannot be used
   */
  public static Connection open(Address address, Optional<TlsFiles> tls, Options options)
      throws TlsException {
    if (tls.isPresent() && !(address instanceof Address.Tcp)) {
      throw new IllegalArgumentException(
          address + ": certificates are for tcp:// addresses; remove them here");
    }
    if (address instanceof Address.Tcp(String host, int port) && (host.isEmpty() || port == 0)) {
      throw new IllegalArgumentException(
          address + ": a client needs a host and a port, as in tcp://brain.example:12090");
    }
    ChannelCredentials credentials =
        tls.isPresent()
            ? credentials(tls.get().load(options.log()))
            : InsecureChannelCredentials.create();
    ManagedChannel channel =
        switch (address) {
          case Address.Unix unix ->
              netty(
                  NettyChannelBuilder.forAddress(
                          UnixDomainSocketAddress.of(unix.path()), credentials)
                      .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                      .overrideAuthority("localhost"),
                  options);
          case Address.Tcp tcp ->
              netty(
                  tcp(NettyChannelBuilder.forAddress(tcp.host(), tcp.port(), credentials))
                      .defaultServiceConfig(ANY_OF_SEVERAL),
                  options);
          case Address.InProcess inProcess ->
              InProcessChannelBuilder.forName(inProcess.name())
                  .maxInboundMessageSize(options.mostMessageBytes())
                  .directExecutor()
                  .build();
        };
    return new Connection(address, options, channel);
  }

  /**
   * Connections to all servers behind {@code address}: the brains of a cluster may share a name
   * that has an IP address for each. A name with a single address, or none, is one server.
   */
  public static List<Connection> openEach(Address address, Optional<TlsFiles> tls, Options options)
      throws TlsException {
    if (!(address instanceof Address.Tcp(String host, int port))) {
      return List.of(open(address, tls, options));
    }
    InetAddress[] found;
    try {
      found = InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      found = new InetAddress[0];
    }
    if (found.length < 2) {
      return List.of(open(address, tls, options));
    }
    ChannelCredentials credentials =
        tls.isPresent()
            ? credentials(tls.get().load(options.log()))
            : InsecureChannelCredentials.create();
    List<Connection> connections = new ArrayList<>();
    for (InetAddress one : found) {
      connections.add(
          new Connection(
              new Address.Tcp(one.getHostAddress(), port),
              options,
              netty(
                  tcp(NettyChannelBuilder.forAddress(new InetSocketAddress(one, port), credentials))
                      .overrideAuthority(host),
                  options)));
    }
    return connections;
  }

  private static NettyChannelBuilder tcp(NettyChannelBuilder builder) {
    builder.channelType(NioSocketChannel.class, InetSocketAddress.class);
    try (SocketChannel any = SocketChannel.open()) {
      KEEPALIVE.forEach((option, seconds) -> {
        if (any.supportedOptions().contains(option)) {
          builder.withOption(NioChannelOption.of(option), seconds);
        }
      });
    } catch (IOException e) {
      // The connection itself will say why there can be no socket.
    }
    return builder;
  }

  private static ManagedChannel netty(NettyChannelBuilder builder, Options options) {
    return builder
        .eventLoopGroup(Loops.SHARED)
        .maxInboundMessageSize(options.mostMessageBytes())
        .keepAliveTime(options.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
        .keepAliveTimeout(options.patience().toNanos(), TimeUnit.NANOSECONDS)
        .directExecutor()
        .build();
  }

  /** Where the server is. */
  public Address address() {
    return address;
  }

  /** For calls that this library does not have. */
  public Channel channel() {
    return channel;
  }

  /** Whom the brain serves, and how far each has come. */
  public NodesReply nodes() throws ConnectionException {
    return nodes(NodesRequest.getDefaultInstance());
  }

  /** The same, for somebody who asks for it every second or so: nodes then report at once. */
  public NodesReply watchedNodes() throws ConnectionException {
    return nodes(NodesRequest.newBuilder().setAgain(true).build());
  }

  private NodesReply nodes(NodesRequest request) throws ConnectionException {
    try {
      return call(Methods.NODES, request, options.patience());
    } catch (StatusRuntimeException e) {
      throw new ConnectionException(sentence(e.getStatus()), e);
    }
  }

  /** What was counted of the traffic of services on the node whose daemon this is. */
  public TrafficReply traffic() throws ConnectionException {
    try {
      return call(Methods.TRAFFIC, TrafficRequest.getDefaultInstance(), options.patience());
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
        throw new ConnectionException(
            address + ": the server there does not know of traffic; it is older than this program",
            e);
      }
      throw new ConnectionException(sentence(e.getStatus()), e);
    }
  }

  /**
   * What happens to a connection on a node, and why; empty if no answer came within {@code
   * longest}. A server that does not know its cluster yet answers when it does.
   *
   * @throws IllegalArgumentException with the server's sentence, where the request makes no sense
   */
  public Optional<ExplainReply> explain(ExplainRequest request, Duration longest)
      throws ConnectionException {
    try {
      return Optional.of(call(Methods.EXPLAIN, request, longest));
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED) {
        return Optional.empty();
      }
      throw unexplained(e, "cannot explain", "explain its cluster here");
    }
  }

  /**
   * The same, and again each time that the answer changes: {@code answers} gets each, in this
   * thread, until the connection ends.
   *
   * @throws IllegalArgumentException with the server's sentence, where the request makes no sense
   * @throws ConnectionException always in the end, unless {@code answers} throws
   */
  public void watchExplain(ExplainRequest request, Consumer<ExplainReply> answers)
      throws ConnectionException {
    ExplainRequest beating = request.toBuilder().setHeartbeatMillis(heartbeatMillis()).build();
    try {
      answers(
          Methods.WATCH_EXPLAIN,
          beating,
          ExplainReply::getHeartbeat,
          reply -> {
            answers.accept(reply);
            return true;
          });
    } catch (StatusRuntimeException e) {
      throw unexplained(e, "cannot follow an explanation", "follow its cluster here");
    }
    throw new ConnectionException(address + ": the server ended the stream");
  }

  private ConnectionException unexplained(StatusRuntimeException e, String cannot, String instead) {
    Status status = e.getStatus();
    return switch (status.getCode()) {
      case INVALID_ARGUMENT ->
          throw new IllegalArgumentException(String.valueOf(status.getDescription()), e);
      case UNIMPLEMENTED ->
          new ConnectionException(
              "%s: the server there %s: it is older than this program, or not Portolan's; %s, with"
                      .formatted(address, cannot, instead)
                  + " --from api:"
                  + address,
              e);
      default -> new ConnectionException(sentence(status), e);
    };
  }

  /**
   * How far the nodes are on the way to what {@code request} asks for: calls {@code told} with each
   * answer until it returns false.
   *
   * @throws IllegalArgumentException with the server's sentence, where it will never answer this
   * @throws ConnectionException where the server cannot be asked, or not any more; it may come back
   */
  public void waitFor(WaitRequest request, Predicate<WaitReply> told) throws ConnectionException {
    WaitRequest beating = request.toBuilder().setHeartbeatMillis(heartbeatMillis()).build();
    try {
      if (answers(Methods.WAIT, beating, WaitReply::getHeartbeat, told)) {
        throw new ConnectionException(
            sentence(Status.OK), new IllegalStateException("the server ended the stream"));
      }
    } catch (StatusRuntimeException e) {
      switch (e.getStatus().getCode()) {
        case INVALID_ARGUMENT, PERMISSION_DENIED, UNAUTHENTICATED, FAILED_PRECONDITION, NOT_FOUND ->
            throw new IllegalArgumentException(sentence(e.getStatus()), e);
        case UNIMPLEMENTED ->
            throw new IllegalArgumentException(
                "%s: the server there cannot be waited for: it is older than this program, or not Portolan's"
                    .formatted(address),
                e);
        default -> throw new ConnectionException(sentence(e.getStatus()), e);
      }
    }
  }

  /**
   * Calls {@code told} with each answer to {@code request}, without heartbeats, until it returns
   * false.
   *
   * @return whether the server ended the stream before
   * @throws StatusRuntimeException if it did so for a reason
   * @throws ConnectionException if it falls silent, or the thread is interrupted
   */
  private <Q, A> boolean answers(
      MethodDescriptor<Q, A> method, Q request, Predicate<A> heartbeat, Predicate<A> told)
      throws ConnectionException {
    SignsOfLife signs = new SignsOfLife(options.silence(), System::nanoTime, beats);
    boolean open = false;
    try (WatchStream<Q, A> stream = new WatchStream<>(this, method)) {
      stream.send(request);
      stream.askNoMore();
      while (true) {
        switch (stream.next(open ? signs.left() : options.patience())) {
          case null -> {
            abandon();
            throw new ConnectionException(address + ": " + (open ? signs.missing() : NO_ANSWER));
          }
          case WatchStream.Event.Opened<A> _ -> open = true;
          case WatchStream.Event.Woken<A> _ -> {}
          case WatchStream.Event.Received<A>(A answer) -> {
            open = true;
            boolean only = heartbeat.test(answer);
            signs.heard(only);
            beats = signs.areExpected();
            if (!only && !told.test(answer)) {
              return false;
            }
          }
          case WatchStream.Event.Ended<A>(Status status) -> {
            if (status.isOk()) {
              return true;
            }
            throw status.asRuntimeException();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectionException(address + ": interrupted", e);
    }
  }

  private <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Duration longest) {
    retryNow();
    return ClientCalls.blockingUnaryCall(
        channel,
        method,
        CallOptions.DEFAULT.withDeadlineAfter(longest.toNanos(), TimeUnit.NANOSECONDS),
        request);
  }

  /** Ends every call. */
  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How often servers are asked for heartbeats, for a request. */
  int heartbeatMillis() {
    return Math.toIntExact(options.heartbeat().toMillis());
  }

  Options options() {
    return options;
  }

  /** Lets the next call try to connect, instead of failing at once because the last one did. */
  void retryNow() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.enterIdle();
    }
  }

  /** Gives up a connection that does not come about. */
  void abandon() {
    channel.enterIdle();
  }

  /** What {@code status} means for a person. */
  String sentence(Status status) {
    return Trouble.sentence(address, status);
  }
}
