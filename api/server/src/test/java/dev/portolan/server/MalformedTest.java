package dev.portolan.server;

import static dev.portolan.server.World.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Messages that cannot be decoded. */
class MalformedTest {
  private static final WatchReq N1 = WatchReq.newBuilder().setNodeName("n1").build();

  /** A field of 127 bytes, none of which follow. */
  private static final byte[] GARBAGE = {0x0a, 0x7f};

  /** Sends bytes as they are. */
  private static final class Bytes implements Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }

  private static <A> Status send(ManagedChannel channel, MethodDescriptor<?, A> method)
      throws Exception {
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCall<byte[], A> call =
        channel.newCall(
            method.toBuilder(new Bytes(), method.getResponseMarshaller()).build(),
            CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(Integer.MAX_VALUE);
    call.sendMessage(GARBAGE);
    call.halfClose();
    return end.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void eachMethodSaysSoAndInnocentCallsGoOn() throws Exception {
    try (Rig rig = Rig.onSocket()) {
      rig.apply(ClusterDelta.builder().set(service("web", 1)));
      ManagedChannel channel = rig.channel();
      try (RawStream<WatchReq> innocent = RawStream.open(channel, Methods.LOCAL_WATCH)) {
        innocent.ask(N1);
        innocent.send(N1);
        for (MethodDescriptor<?, ?> method :
            List.of(
                Methods.NODES,
                Methods.EXPLAIN,
                Methods.NEXT,
                Methods.LOCAL_WATCH,
                Methods.GLOBAL_WATCH,
                HealthGrpc.getCheckMethod(),
                ServerReflectionGrpc.getServerReflectionInfoMethod())) {
          Status status = send(channel, method);
          assertThat(status.getCode())
              .as(method.getFullMethodName())
              .isEqualTo(Status.Code.INVALID_ARGUMENT);
          assertThat(status.getDescription()).startsWith("the request cannot be decoded (");
        }
        rig.apply(ClusterDelta.builder().set(service("web", 2)));
        assertThat(RawStream.lines(innocent.changeSet()))
            .containsExactly("set ServicesSet default/web", "sync");
      }
      assertThat(rig.log)
          .filteredOn(line -> line.contains("cannot be decoded"))
          .singleElement()
          .asString()
          .startsWith("a request to portolan.v1.Brain/Nodes from unix socket cannot be decoded (")
          .doesNotContain("\n");
    }
  }
}
