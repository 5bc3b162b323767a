package dev.portolan.training;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;

/**
 * As much of an API server as the daemon needs to start and to see changes: HTTP/2 over TLS, packed
 * lists, events. A process of its own, so that the cache has nothing of it.
 */
final class TrainingServer {
  private static final String PASSWORD = "training";
  private static final int CHANGES = 60;
  private static final int PAUSE_MILLIS = 20;

  private TrainingServer() {}

  /**
   * Writes a kubeconfig into a folder, says that it serves, and later that all changes went out.
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    KeyStore keys = keys(folder.resolve("keys.p12"));
    SslContext context = context(keys);
    Channel server =
        new ServerBootstrap()
            .group(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()))
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            context.newHandler(channel.alloc()),
                            Http2FrameCodecBuilder.forServer().build(),
                            new Http2MultiplexHandler(new Answering()));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
    int port = ((InetSocketAddress) server.localAddress()).getPort();
    Files.writeString(folder.resolve("ca.pem"), pem(keys.getCertificate("server").getEncoded()));
    Files.writeString(folder.resolve("kubeconfig"), kubeconfig(folder, port));
    IO.println("serving");
    System.in.readAllBytes(); // Until the parent process exits.
    System.exit(0);
  }

  private static KeyStore keys(Path file) throws Exception {
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "RSA",
                    "-dname",
                    "CN=training",
                    "-ext",
                    "san=ip:127.0.0.1,dns:localhost",
                    "-ext",
                    "bc:c",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD,
                    "-keystore",
                    file.toString()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool made no key");
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static SslContext context(KeyStore keys) throws GeneralSecurityException, IOException {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    return SslContextBuilder.forServer(managers)
        .sslProvider(SslProvider.JDK)
        // What an API server chooses out of the daemon's offer.
        .ciphers(List.of("TLS_CHACHA20_POLY1305_SHA256"))
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                "h2"))
        .build();
  }

  private static String pem(byte[] certificate) {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(certificate)
        + "\n-----END CERTIFICATE-----\n";
  }

  private static String kubeconfig(Path folder, int port) {
    return """
    apiVersion: v1
    kind: Config
    current-context: training
    contexts: [{name: training, context: {cluster: training, user: training}}]
    clusters: [{name: training, cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}}]
    users: [{name: training, user: {token: training}}]
    """
        .formatted(port, folder.resolve("ca.pem"));
  }

  /** Answers one request. */
  private static final class Answering extends ChannelInboundHandlerAdapter {
    @Override
    public boolean isSharable() {
      return true;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
      ReferenceCountUtil.release(frame);
      if (frame instanceof Http2HeadersFrame request) {
        answer(context, String.valueOf(request.headers().path()));
      }
    }

    private static void answer(ChannelHandlerContext context, String path) {
      String resource = path.replaceAll("[?].*", "").replaceAll(".*/", "");
      Http2Headers headers =
          new DefaultHttp2Headers().status("200").set("content-type", "application/json");
      if (path.contains("watch=")) {
        var _ = context.writeAndFlush(new DefaultHttp2HeadersFrame(headers));
        if (resource.equals("endpointslices")) {
          changes(context);
        }
        return;
      }
      var _ = context.write(new DefaultHttp2HeadersFrame(headers.set("content-encoding", "gzip")));
      byte[] list = packed(TrainingObjects.list(resource));
      var _ = context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(list), true));
    }

    private static byte[] packed(String text) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
        out.write(text.getBytes(UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return packed.toByteArray();
    }

    private static void changes(ChannelHandlerContext context) {
      AtomicInteger version = new AtomicInteger(10);
      var _ =
          context
              .executor()
              .scheduleAtFixedRate(
                  () -> {
                    int now = version.incrementAndGet();
                    if (now <= 10 + CHANGES) {
                      event(context, "MODIFIED", TrainingObjects.slice("web", now));
                    } else if (now == 11 + CHANGES) {
                      IO.println("changed");
                    }
                  },
                  10 * PAUSE_MILLIS,
                  PAUSE_MILLIS,
                  TimeUnit.MILLISECONDS);
    }

    private static void event(ChannelHandlerContext context, String type, String object) {
      String line = "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
      var _ =
          context.writeAndFlush(
              new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(line.getBytes(UTF_8))));
    }
  }
}
