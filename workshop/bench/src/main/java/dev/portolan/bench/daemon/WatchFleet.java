package dev.portolan.bench.daemon;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.source.kube.wire.Resource;
import dev.portolan.testkit.peers.ControlPlane;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.MessageToMessageDecoder;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a fleet of daemons is to an API server: for each node one TLS connection with the four
 * watches of a daemon, with its selectors and its encoding. What arrives is counted and forgotten.
 */
public final class WatchFleet implements AutoCloseable {
  /** The watches of one daemon. */
  public static final int WATCHES = 4;

  private static final int PATIENCE_SECONDS = 300;
  private static final int LARGEST_EVENT = 16 << 20;
  private static final String SLICES = Resource.slices().name();

  private final ControlPlane plane;
  private final SslContext tls;
  private final Runnable sliceEvent;
  private final EventLoopGroup threads =
      new MultiThreadIoEventLoopGroup(
          2, new DefaultThreadFactory("watch-fleet", true), NioIoHandler.newFactory());
  private final LongAdder bytes = new LongAdder();
  private final AtomicInteger ended = new AtomicInteger();

  /** Nothing is open yet; {@code sliceEvent} is called for each change of a slice at each node. */
  public WatchFleet(ControlPlane plane, Runnable sliceEvent) throws IOException {
    this.plane = plane;
    this.sliceEvent = sliceEvent;
    this.tls =
        SslContextBuilder.forClient()
            .trustManager(plane.certificate().toFile())
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2))
            .build();
  }

  /** Watches that go on from now, as of daemons that have listed before, so many at once. */
  public void follow(int nodes, int atOnce) throws InterruptedException {
    open(nodes, atOnce, false);
  }

  /** Lists, and watches that go on from them, as of daemons that start. */
  public void start(int nodes) throws InterruptedException {
    open(nodes, nodes, true);
  }

  private void open(int nodes, int atOnce, boolean lists) throws InterruptedException {
    String first = plane.request("GET", "/api/v1/services?limit=1", "");
    String version = first.replaceFirst("(?s).*?\"resourceVersion\":\"(\\d+)\".*", "$1");
    CountDownLatch all = new CountDownLatch(nodes);
    Semaphore places = new Semaphore(atOnce);
    for (int i = 0; i < nodes; i++) {
      String node = SyntheticCluster.name(i);
      await(places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS));
      AtomicInteger closed = new AtomicInteger(WATCHES);
      connect(
          new Watches(
              node,
              version,
              lists,
              () -> {
                if (closed.decrementAndGet() == 0) {
                  places.release();
                  all.countDown();
                }
              }));
    }
    await(all.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  private static void await(boolean done) {
    if (!done) {
      throw new IllegalStateException("the watches did not open in time");
    }
  }

  /** Bytes of answers that were read so far. */
  public long bytes() {
    return bytes.sum();
  }

  /** Watches that the server ended: those of clients that are too slow for it, above all. */
  public int ended() {
    return ended.get();
  }

  private void connect(Watches watches) {
    ChannelFuture _ =
        new Bootstrap()
            .group(threads)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(tls.newHandler(channel.alloc(), "127.0.0.1", plane.port()));
                    channel.pipeline().addLast(watches);
                  }
                })
            .connect("127.0.0.1", plane.port());
  }

  /** Opens the watches of one node once both sides have agreed on HTTP/2. */
  private final class Watches extends ApplicationProtocolNegotiationHandler {
    private final List<Resource<?, ?>> resources;
    private final String version;
    private final boolean lists;
    private final Runnable open;

    Watches(String node, String version, boolean lists, Runnable open) {
      super(ApplicationProtocolNames.HTTP_1_1);
      this.resources =
          List.of(
              Resource.services(),
              Resource.slices(),
              Resource.nodes(Optional.of(node)),
              Resource.serviceCidrs());
      this.version = version;
      this.lists = lists;
      this.open = open;
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      if (!protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        throw new IllegalStateException("the API server does not speak HTTP/2");
      }
      Channel connection = context.channel();
      connection
          .pipeline()
          .addLast(
              Http2FrameCodecBuilder.forClient().build(),
              new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
      for (Resource<?, ?> resource : resources) {
        if (lists) {
          list(connection, resource);
        } else {
          watch(connection, resource, open);
        }
      }
    }

    private void list(Channel connection, Resource<?, ?> resource) {
      ask(
          connection,
          resource,
          "?resourceVersionMatch=NotOlderThan&resourceVersion=" + version,
          new Listed(() -> {
            open.run();
            watch(connection, resource, () -> {});
          }));
    }

    private void watch(Channel connection, Resource<?, ?> resource, Runnable opened) {
      ask(
          connection,
          resource,
          "?watch=true&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=" + version,
          new Answer(opened),
          new LengthFieldBasedFrameDecoder(LARGEST_EVENT, 0, 4, 0, 4),
          new Events(resource.name()));
    }

    private void ask(
        Channel connection, Resource<?, ?> resource, String query, ChannelHandler... answer) {
      Http2Headers headers =
          new DefaultHttp2Headers()
              .method("GET")
              .scheme("https")
              .authority("127.0.0.1:" + plane.port())
              .path(resource.path() + query + resource.selectors())
              .set("authorization", "Bearer " + plane.proxyToken())
              .set("accept", "application/vnd.kubernetes.protobuf")
              .set("accept-encoding", "gzip");
      Future<?> _ =
          new Http2StreamChannelBootstrap(connection)
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel stream) {
                      stream.pipeline().addLast(answer);
                    }
                  })
              .open()
              .addListener(opened -> {
                if (opened.getNow() instanceof Channel stream) {
                  ChannelFuture _ =
                      stream.writeAndFlush(new DefaultHttp2HeadersFrame(headers, true));
                }
              });
    }
  }

  /** The answer to a request for a list, which is not unpacked. */
  private final class Listed extends SimpleChannelInboundHandler<Http2StreamFrame> {
    private final Runnable end;

    Listed(Runnable end) {
      this.end = end;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
      if (frame instanceof Http2DataFrame data) {
        bytes.add(data.content().readableBytes());
        if (data.isEndStream()) {
          end.run();
        }
      } else if (frame instanceof Http2HeadersFrame headers) {
        check("a list", headers);
      }
    }
  }

  private static void check(String request, Http2HeadersFrame answer) {
    CharSequence status = answer.headers().status();
    if (status != null && !"200".contentEquals(status)) {
      throw new IllegalStateException("the API server answers " + request + " with " + status);
    }
  }

  /** The bytes of an answer, once its status is good. */
  private final class Answer extends MessageToMessageDecoder<Http2StreamFrame> {
    private final Runnable open;

    Answer(Runnable open) {
      super(Http2StreamFrame.class);
      this.open = open;
    }

    @Override
    protected void decode(ChannelHandlerContext context, Http2StreamFrame frame, List<Object> out) {
      if (frame instanceof Http2DataFrame data) {
        bytes.add(data.content().readableBytes());
        out.add(data.content().retain());
      } else if (frame instanceof Http2HeadersFrame headers) {
        check("a watch", headers);
        open.run();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
      ended.incrementAndGet();
      super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      System.err.println("bench: a watch failed: " + cause);
      ChannelFuture _ = context.close();
    }
  }

  /** Tells changes of slices from the rest, by the type with which each event begins. */
  private final class Events extends SimpleChannelInboundHandler<ByteBuf> {
    private final boolean isSlices;

    Events(String resource) {
      this.isSlices = resource.equals(SLICES);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf event) {
      if (isSlices && event.toString(2, event.getByte(1), US_ASCII).equals("MODIFIED")) {
        sliceEvent.run();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
