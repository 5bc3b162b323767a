package dev.portolan.conformance;

import com.google.protobuf.ByteString;
import dev.portolan.api.Methods;
import dev.portolan.core.error.Threads;
import io.grpc.Channel;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A unix socket before a brain: hands on every call, and keeps the transcript of those that watch.
 */
final class RecordingProxy implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 5;
  private static final Set<String> WATCHES =
      Set.of(
          Methods.LOCAL_WATCH.getFullMethodName(), Methods.LOCAL_WATCH_BEFORE.getFullMethodName());

  private final Path socket;
  private final Channel brain;
  private final Transcript transcript;
  private final EventLoopGroup threads =
      new MultiThreadIoEventLoopGroup(
          1,
          Threads.platform("proxy").factory(new DefaultThreadFactory("proxy", true)),
          NioIoHandler.newFactory());
  private final List<Passage> passages = new CopyOnWriteArrayList<>();
  private Server server;
  private volatile @Nullable Hold hold;

  /** Opens {@code socket}, behind which is {@code brain}. */
  RecordingProxy(Path socket, Channel brain, Transcript transcript) {
    this.socket = socket;
    this.brain = brain;
    this.transcript = transcript;
    this.server = listen();
  }

  private Server listen() {
    try {
      Files.deleteIfExists(socket);
      return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
          .channelType(NioServerDomainSocketChannel.class)
          .bossEventLoopGroup(threads)
          .workerEventLoopGroup(threads)
          .permitKeepAliveTime(1, TimeUnit.SECONDS)
          .permitKeepAliveWithoutCalls(true)
          .directExecutor()
          .fallbackHandlerRegistry(new Every())
          .build()
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Transcript transcript() {
    return transcript;
  }

  /** Stops the next set of changes after a number of items. */
  Hold hold(int items) {
    Hold next = new Hold(items);
    hold = next;
    return next;
  }

  /** Items of a set of changes went out. */
  void passed(int items) throws InterruptedException {
    Hold present = hold;
    if (present != null) {
      present.passed(items);
    }
  }

  /** Lets what is held go on, and holds no more. */
  void release() {
    Hold present = hold;
    hold = null;
    if (present != null) {
      present.release();
    }
  }

  /** Lets every stream bring its whole state again, with a Reset before it. */
  void startOver() {
    passages.forEach(Passage::startOver);
  }

  /** Cuts every connection, and listens again. */
  void cut() {
    shut();
    server = listen();
  }

  /** Whether a client watches, and has been sent everything so far. */
  boolean isQuiet() {
    List<Passage> open = passages.stream().filter(Passage::isOpenWatch).toList();
    return !open.isEmpty() && open.stream().allMatch(Passage::isIdle);
  }

  private void shut() {
    passages.forEach(Passage::end);
    release();
    passages.clear();
    try {
      server.shutdownNow().awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    shut();
    var _ = threads.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Every method there is, as bytes. */
  private final class Every extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
      MethodDescriptor<ByteString, ByteString> method =
          MethodDescriptor.<ByteString, ByteString>newBuilder()
              .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(name)
              .setRequestMarshaller(Bytes.MARSHALLER)
              .setResponseMarshaller(Bytes.MARSHALLER)
              .build();
      return ServerMethodDefinition.create(method, this::pass);
    }

    private ServerCall.Listener<ByteString> pass(
        ServerCall<ByteString, ByteString> call, Metadata headers) {
      boolean watch = WATCHES.contains(call.getMethodDescriptor().getFullMethodName());
      Passage passage = new Passage(call, brain, RecordingProxy.this, watch);
      passages.add(passage);
      return passage;
    }
  }

  /** Leaves messages as they are. */
  private static final class Bytes implements MethodDescriptor.Marshaller<ByteString> {
    private static final Bytes MARSHALLER = new Bytes();

    @Override
    public InputStream stream(ByteString message) {
      return message.newInput();
    }

    @Override
    public ByteString parse(InputStream stream) {
      try {
        return ByteString.readFrom(stream);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
