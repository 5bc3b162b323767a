package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.v1.NodesReply;
import dev.portolan.api.v1.NodesRequest;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthAndReflectionTest {
  @AutoClose private Rig rig;

  @BeforeEach
  void start() throws Exception {
    rig =
        new Rig(
            Options.builder()
                .listen(ListenAddress.plain(Rig.freeSocket()))
                .source("a test")
                .version("1.2.3"));
  }

  private ServingStatus health(String service) {
    return HealthGrpc.newBlockingStub(rig.channel())
        .check(HealthCheckRequest.newBuilder().setService(service).build())
        .getStatus();
  }

  @Test
  void aBrainIsWellOnceItKnowsTheCluster() {
    for (String service : List.of("", "localv1.Sets", "globalv1.Sets", "localnetv1.Endpoints")) {
      assertThat(health(service)).isEqualTo(ServingStatus.NOT_SERVING);
    }
    rig.apply(ClusterDelta.builder());
    for (String service : List.of("", "localv1.Sets", "globalv1.Sets", "localnetv1.Endpoints")) {
      assertThat(health(service)).isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void olderToolsCanAskToo() throws Exception {
    BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    StreamObserver<io.grpc.reflection.v1alpha.ServerReflectionRequest> requests =
        io.grpc.reflection.v1alpha.ServerReflectionGrpc.newStub(rig.channel())
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(io.grpc.reflection.v1alpha.ServerReflectionResponse response) {
                    answers.add(response.getListServicesResponse().toString());
                  }

                  @Override
                  public void onError(Throwable failure) {
                    answers.add(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(
        io.grpc.reflection.v1alpha.ServerReflectionRequest.newBuilder()
            .setListServices("*")
            .build());
    assertThat(answers.poll(30, TimeUnit.SECONDS)).asString().contains("\"localv1.Sets\"");
    requests.onCompleted();
  }

  @Test
  void toolsCanAskWhatThereIs() throws Exception {
    List<String> names =
        reflect(ServerReflectionRequest.newBuilder().setListServices("*").build())
            .getListServicesResponse()
            .getServiceList()
            .stream()
            .map(ServiceResponse::getName)
            .toList();
    assertThat(names)
        .contains(
            "globalv1.Sets",
            "localnetv1.Endpoints",
            "localnetv1.Global",
            "localv1.Sets",
            "portolan.v1.Brain");
    FileDescriptorProto file =
        FileDescriptorProto.parseFrom(
            reflect(
                    ServerReflectionRequest.newBuilder()
                        .setFileContainingSymbol("localv1.Sets")
                        .build())
                .getFileDescriptorResponse()
                .getFileDescriptorProto(0));
    assertThat(file.getPackage()).isEqualTo("localv1");
  }

  private ServerReflectionResponse reflect(ServerReflectionRequest request) throws Exception {
    BlockingQueue<ServerReflectionResponse> answers = new LinkedBlockingQueue<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(rig.channel())
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse answer) {
                    answers.add(answer);
                  }

                  @Override
                  public void onError(Throwable error) {}

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(request);
    ServerReflectionResponse answer = answers.poll(30, TimeUnit.SECONDS);
    requests.onCompleted();
    assertThat(answer).isNotNull();
    return answer;
  }

  @Test
  void theBrainSaysWhomItServes() throws Exception {
    rig.apply(ClusterDelta.builder());
    try (RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH)) {
      stream.ask(WatchReq.newBuilder().setNodeName("n1").setClientName("tester").build());
      Await.until("sent", () -> rig.server.clients().getFirst().sent() == 1);
      NodesReply reply =
          ClientCalls.blockingUnaryCall(
              rig.channel(), Methods.NODES, CallOptions.DEFAULT, NodesRequest.getDefaultInstance());
      assertThat(reply.getSource()).isEqualTo("a test");
      assertThat(reply.getVersion()).isEqualTo("1.2.3");
      assertThat(reply.getSynced()).isTrue();
      assertThat(reply.getNodesList()).hasSize(1);
      assertThat(reply.getNodes(0).getNode()).isEqualTo("n1");
      assertThat(reply.getNodes(0).getClient()).isEqualTo("tester");
      assertThat(reply.getNodes(0).getRevision()).isEqualTo(1);
      assertThat(reply.getNodes(0).getSent()).isEqualTo(1);
      assertThat(reply.getNodes(0).getChangedUnixNanos()).isPositive();
      assertThat(reply.getNodes(0).getBehindSinceUnixNanos()).isZero();
    }
  }
}
