package dev.portolan.client;

import com.google.protobuf.Message;
import dev.portolan.api.EncodedService;
import dev.portolan.api.Methods;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.transport.Address;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.testbase.Await;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A scripted server. */
final class ScriptedServer<Q extends Message> implements AutoCloseable {
  final Address address;
  final BlockingQueue<Stream> streams = new LinkedBlockingQueue<>();
  private final Server server;
  private final EventLoopGroup threads;

  /** One stream of one client. */
  final class Stream {
    final BlockingQueue<Q> requests = new LinkedBlockingQueue<>();
    private final StreamObserver<StreamItem> client;

    private Stream(StreamObserver<StreamItem> client) {
      this.client = client;
    }

    Q request() throws InterruptedException {
      return Await.next(requests);
    }

    Stream send(StreamItem... items) {
      for (StreamItem item : items) {
        client.onNext(item);
      }
      return this;
    }

    /** A whole state. */
    Stream whole(NodeImage image, long instance, long revision) {
      return whole(image).sync(instance, revision);
    }

    /** A whole state, without its Sync. */
    Stream whole(NodeImage image) {
      send(StreamItem.RESET, NodeMessages.factsItem(image.facts()));
      for (NodeService service : image.services()) {
        send(EncodedService.of(service).set());
      }
      return this;
    }

    /** What leads from one state to another, without its Sync. */
    Stream changes(NodeImage before, NodeImage after) {
      NodeChange change = NodeChange.between(before, after);
      if (change.factsChanged()) {
        send(NodeMessages.factsItem(after.facts()));
      }
      change.set().forEach(service -> send(EncodedService.of(service).set()));
      change.removed().forEach(service -> send(EncodedService.of(service).delete()));
      return this;
    }

    Stream sync(long instance, long revision) {
      return send(StreamItem.sync(NodeMessages.change(instance, revision, List.of())));
    }

    /** The Sync of a server that sends what follows unasked. */
    Stream pushed(long instance, long revision) {
      return send(StreamItem.sync(NodeMessages.change(instance, revision, List.of(), true)));
    }

    void fail(Status status) {
      client.onError(status.asException());
    }

    void end() {
      client.onCompleted();
    }
  }

  private ScriptedServer(
      Address address,
      ServerBuilder<?> builder,
      EventLoopGroup threads,
      MethodDescriptor<Q, OpItem> method)
      throws IOException {
    this.address = address;
    this.threads = threads;
    MethodDescriptor<Q, StreamItem> encoded = Methods.encoded(method);
    this.server =
        builder
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(String.valueOf(method.getServiceName()))
                    .addMethod(encoded, ServerCalls.asyncBidiStreamingCall(this::opened))
                    .build())
            .build()
            .start();
  }

  static <Q extends Message> ScriptedServer<Q> inProcess(MethodDescriptor<Q, OpItem> method)
      throws IOException {
    return inProcess("scripted-" + UUID.randomUUID(), method);
  }

  static <Q extends Message> ScriptedServer<Q> inProcess(
      String name, MethodDescriptor<Q, OpItem> method) throws IOException {
    return new ScriptedServer<>(
        new Address.InProcess(name), InProcessServerBuilder.forName(name), null, method);
  }

  static <Q extends Message> ScriptedServer<Q> unix(Path path, MethodDescriptor<Q, OpItem> method)
      throws IOException {
    Files.deleteIfExists(path);
    EventLoopGroup threads = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(path))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(threads)
            .workerEventLoopGroup(threads);
    return new ScriptedServer<>(new Address.Unix(path), builder, threads, method);
  }

  private StreamObserver<Q> opened(StreamObserver<StreamItem> client) {
    Stream stream = new Stream(client);
    streams.add(stream);
    return new StreamObserver<>() {
      @Override
      public void onNext(Q request) {
        stream.requests.add(request);
      }

      @Override
      public void onError(Throwable cause) {}

      @Override
      public void onCompleted() {
        stream.end();
      }
    };
  }

  Stream stream() throws InterruptedException {
    return Await.next(streams);
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (threads != null) {
      threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
