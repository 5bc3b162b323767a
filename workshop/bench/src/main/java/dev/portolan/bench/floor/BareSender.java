package dev.portolan.bench.floor;

import dev.portolan.bench.kit.Checkout;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.tls.CipherOrder;
import dev.portolan.tls.ReloadingTls;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What it takes at least to send many clients the same bytes: a process with nothing but sockets,
 * and TLS where that is wanted, that writes them from the event loops of the connections.
 */
public final class BareSender implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 120;

  private final Process process;
  private final BufferedReader says;
  private final EventLoopGroup threads =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  private BareSender(Process process) {
    this.process = process;
    this.says = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * The processor time of the sender for each of some messages, in milliseconds.
   *
   * @param tls how both sides encrypt, if they do
   */
  public static double perMessage(
      Optional<TlsFiles> tls, int clients, int bytes, int aSecond, int seconds)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("@" + Checkout.javaOptions(), "@" + Checkout.brainOptions()));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(BareSender.class.getName());
    tls.ifPresent(files -> {
      for (Path file : List.of(files.key(), files.certificate(), files.ca())) {
        command.add(file.toString());
      }
    });
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BareSender sender = new BareSender(process)) {
      return sender.measure(tls, clients, bytes, aSecond, seconds);
    }
  }

  private double measure(Optional<TlsFiles> tls, int clients, int bytes, int aSecond, int seconds)
      throws IOException, InterruptedException {
    int port = Integer.parseInt(says.readLine());
    LongAdder received = new LongAdder();
    Optional<SslContext> context = context(tls, false);
    for (int i = 0; i < clients; i++) {
      ChannelFuture connected =
          new Bootstrap()
              .group(threads)
              .channel(NioSocketChannel.class)
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      context.ifPresent(
                          it -> channel.pipeline().addLast(it.newHandler(channel.alloc())));
                      channel.pipeline().addLast(new Counter(received));
                    }
                  })
              .connect("127.0.0.1", port)
              .sync();
      SslHandler handshake = connected.channel().pipeline().get(SslHandler.class);
      if (handshake != null) {
        handshake.handshakeFuture().sync();
      }
    }
    send(aSecond, bytes, aSecond * 10);
    ProcessFigures figures = new ProcessFigures(process.pid());
    double before = figures.processorSeconds();
    received.reset();
    int messages = aSecond * seconds;
    send(aSecond, bytes, messages);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (received.sum() < (long) messages * clients * bytes) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the bare sender's bytes did not arrive");
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return (figures.processorSeconds() - before) / messages * 1e3;
  }

  private void send(int aSecond, int bytes, int messages) throws IOException, InterruptedException {
    for (int i = 0; i < messages; i++) {
      process.getOutputStream().write((bytes + "\n").getBytes(StandardCharsets.US_ASCII));
      process.getOutputStream().flush();
      TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(1) / aSecond);
    }
  }

  private static Optional<SslContext> context(Optional<TlsFiles> tls, boolean server)
      throws IOException {
    if (tls.isEmpty()) {
      return Optional.empty();
    }
    ReloadingTls material;
    try {
      material = tls.get().load(line -> {});
    } catch (TlsException e) {
      throw new IllegalStateException(e);
    }
    SslContextBuilder builder =
        server
            ? SslContextBuilder.forServer(material.keyManager())
            : SslContextBuilder.forClient().keyManager(material.keyManager());
    return Optional.of(
        builder
            .sslProvider(SslProvider.JDK)
            .trustManager(material.trustManager())
            .endpointIdentificationAlgorithm("")
            .ciphers(
                CipherOrder.cheapFirst(Http2SecurityUtil.CIPHERS),
                SupportedCipherSuiteFilter.INSTANCE)
            .build());
  }

  private static final class Counter extends SimpleChannelInboundHandler<ByteBuf> {
    private final LongAdder received;

    Counter(LongAdder received) {
      this.received = received;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
      received.add(bytes.readableBytes());
    }
  }

  @Override
  public void close() {
    threads.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly();
    process.destroy();
    process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
  }

  /** The sender's side: each line is a number of bytes that every client is sent. */
  public static void main(String[] args) throws Exception {
    Optional<TlsFiles> tls =
        args.length == 0
            ? Optional.empty()
            : Optional.of(new TlsFiles(Path.of(args[0]), Path.of(args[1]), Path.of(args[2])));
    Optional<SslContext> context = context(tls, true);
    Set<Channel> clients = ConcurrentHashMap.newKeySet();
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(), NioIoHandler.newFactory());
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    context.ifPresent(
                        it -> channel.pipeline().addLast(it.newHandler(channel.alloc())));
                    clients.add(channel);
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    System.out.println(((InetSocketAddress) listener.localAddress()).getPort());
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      ByteBuf bytes =
          Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[Integer.parseInt(line)]));
      for (Channel client : clients) {
        client
            .eventLoop()
            .execute(() -> {
              ChannelFuture _ = client.writeAndFlush(bytes.duplicate());
            });
      }
    }
  }
}
