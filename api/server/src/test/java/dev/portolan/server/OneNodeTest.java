package dev.portolan.server;

import static dev.portolan.server.World.service;
import static dev.portolan.server.World.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.Methods;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.Verdict;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server for one node alone, in the process that programs it. */
class OneNodeTest {
  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("n1", NodeSettings.DEFAULT);
  private final ManagedChannel channel = InProcessChannelBuilder.forName("one-node").build();
  private BrainServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        BrainServer.start(
            brain,
            Options.builder()
                .only(view)
                .listen(ListenAddress.plain(new Address.InProcess("one-node")))
                .build());
    apply(ClusterDelta.builder().set(service("web", 2)));
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
  }

  private void apply(ClusterDelta.Builder delta) {
    brain.apply(delta.build());
  }

  private ExplainReply explain(String node) {
    return ClientCalls.blockingUnaryCall(
        channel,
        Methods.EXPLAIN,
        CallOptions.DEFAULT,
        ExplainRequest.newBuilder().setNode(node).setTarget("default/web").build());
  }

  @Test
  void theNodeNeedNotBeNamedAndIsNumberedAsTheViewIs() throws Exception {
    apply(ClusterDelta.builder().set(service("db", 3)));
    assertThat(explain("").getNode()).isEqualTo("n1");
    assertThat(explain("n1").getRevision()).isEqualTo(view.image().revision()).isEqualTo(2);
    try (RawStream<WatchReq> stream = RawStream.open(channel, Methods.LOCAL_WATCH)) {
      stream.ask(WatchReq.getDefaultInstance());
      Await.until("sent", () -> server.clients().getFirst().sent() == 2);
      assertThat(server.clients().getFirst().node()).isEqualTo("n1");
    }
  }

  @Test
  void anAnswerIsSentAgainOnlyWhenItIsAnother() {
    Iterator<ExplainReply> answers =
        ClientCalls.blockingServerStreamingCall(
            channel,
            Methods.WATCH_EXPLAIN,
            CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
            ExplainRequest.newBuilder().setTarget("default/web").build());
    assertThat(answers.next().getExplanations(0).getVerdict()).isEqualTo(Verdict.Reject);
    apply(ClusterDelta.builder().set(service("db", 3)));
    apply(ClusterDelta.builder().set(slice("web", "not-an-address")));
    ExplainReply reasons = answers.next();
    assertThat(reasons.getRevision()).as("only the reasons changed").isEqualTo(2);
    assertThat(reasons.getExplanations(0).getLeftOutList()).hasSize(1);
    apply(ClusterDelta.builder().set(slice("web", "10.1.0.1")));
    assertThat(answers.next().getExplanations(0).getVerdict()).isEqualTo(Verdict.Forward);
  }

  @Test
  void otherNodesAndTheClusterAreRefused() throws Exception {
    assertThatThrownBy(() -> explain("n2"))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessage(
            "NOT_FOUND: this server answers for the node n1 only; ask the one on n2, or a"
                + " 'portolan brain'");
    try (RawStream<GlobalWatchReq> stream = RawStream.open(channel, Methods.GLOBAL_WATCH)) {
      stream.send(GlobalWatchReq.getDefaultInstance());
      stream.halfClose();
      Status end = stream.end();
      assertThat(end.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(end.getDescription())
          .isEqualTo(
              "this server answers for the node n1 only, not for the cluster; ask a 'portolan"
                  + " brain'");
    }
  }

  @Test
  void theBackendOfThisProcessIsListed() {
    LocalBackend backend = server.backend("n1", "nftables");
    assertThat(server.clients().getFirst().behindSince()).as("nothing applied yet").isPresent();
    backend.applied(1);
    ClientStatus applied = server.clients().getFirst();
    assertThat(applied.node()).isEqualTo("n1");
    assertThat(applied.client()).isEqualTo("nftables");
    assertThat(applied.peer()).isEqualTo("this process");
    assertThat(applied.connected()).isTrue();
    assertThat(applied.reports()).isTrue();
    assertThat(applied.applied()).isEqualTo(1);
    assertThat(applied.behindSince()).isEmpty();

    apply(ClusterDelta.builder().set(service("db", 3)));
    backend.failed("no room");
    ClientStatus failing = server.clients().getFirst();
    assertThat(failing.revision()).isEqualTo(2);
    assertThat(failing.error()).isEqualTo("no room");
    assertThat(failing.behindSince()).isPresent();
    backend.applied(2);
    assertThat(server.clients().getFirst().error()).isEmpty();
  }

  @Test
  void theViewOutlivesTheServer() {
    server.close();
    apply(ClusterDelta.builder().set(service("db", 3)));
    assertThat(view.image().revision()).isEqualTo(2);
  }
}
