package dev.portolan.server;

import static dev.portolan.server.World.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.SourceLost;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.WaitReply;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import java.time.Instant;
import java.util.Iterator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Signs of life on streams that have nothing to say, for clients that want them. */
class HeartbeatTest {
  private static final int OFTEN = 100;
  private static final OpItem HEARTBEAT = OpItem.getDefaultInstance();

  @AutoClose private Rig rig;

  @BeforeEach
  void start() {
    rig = Rig.onSocket();
  }

  @Test
  void aNodesStreamHasThemBeforeAndAfterTheClusterIsKnown() throws Exception {
    try (RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH)) {
      stream.send(WatchReq.newBuilder().setNodeName("n1").setHeartbeatMillis(OFTEN).build());
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
      assertThat(stream.next().hasReset()).isTrue();
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
      rig.apply(ClusterDelta.builder());
      assertThat(stream.changeSet()).last().matches(OpItem::hasSync);
      assertThat(stream.next()).as("nothing was asked since").isEqualTo(HEARTBEAT);
      stream.send(WatchReq.newBuilder().setNodeName("n1").build());
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
      rig.apply(ClusterDelta.builder().set(service("web", 1)));
      assertThat(RawStream.lines(stream.changeSet()))
          .endsWith("set ServicesSet default/web", "sync");
    }
  }

  @Test
  void theySayThatTheSourceIsLostAndThatItIsBack() throws Exception {
    rig.apply(ClusterDelta.builder());
    try (RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH)) {
      stream.send(WatchReq.newBuilder().setNodeName("n1").setHeartbeatMillis(OFTEN).build());
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
      assertThat(stream.changeSet()).last().matches(OpItem::hasSync);
      rig.server.sourceLost(Instant.ofEpochSecond(7), "connection refused");
      OpItem lost =
          OpItem.newBuilder()
              .setSourceLost(
                  SourceLost.newBuilder().setUnixNanos(7_000_000_000L).setWhy("connection refused"))
              .build();
      Await.until("the news", () -> stream.next().equals(lost));
      assertThat(stream.next()).isEqualTo(lost);
      rig.server.sourceFound();
      Await.until("the end of it", () -> stream.next().equals(HEARTBEAT));
    }
  }

  @Test
  void aStreamOfTheClusterHasThem() throws Exception {
    rig.apply(ClusterDelta.builder());
    try (RawStream<GlobalWatchReq> stream = RawStream.open(rig.channel(), Methods.GLOBAL_WATCH)) {
      stream.send(GlobalWatchReq.newBuilder().setHeartbeatMillis(OFTEN).build());
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
      assertThat(RawStream.lines(stream.changeSet())).containsExactly("reset", "sync");
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
    }
  }

  @Test
  void explanationsThatStayTheSameHaveThem() {
    rig.apply(ClusterDelta.builder().set(service("web", 1)));
    Iterator<ExplainReply> replies =
        ClientCalls.blockingServerStreamingCall(
            rig.channel(),
            Methods.WATCH_EXPLAIN,
            CallOptions.DEFAULT,
            ExplainRequest.newBuilder()
                .setNode("n1")
                .setTarget("default/web")
                .setHeartbeatMillis(OFTEN)
                .build());
    ExplainReply heartbeat = ExplainReply.newBuilder().setHeartbeat(true).build();
    assertThat(replies.next()).isEqualTo(heartbeat);
    assertThat(replies.next().getExplanationsCount()).isPositive();
    assertThat(replies.next()).isEqualTo(heartbeat);
  }

  @Test
  void aWaitInWhichNothingHappensHasThem() {
    rig.apply(ClusterDelta.builder());
    Iterator<WaitReply> replies =
        ClientCalls.blockingServerStreamingCall(
            rig.channel(),
            Methods.WAIT,
            CallOptions.DEFAULT,
            WaitRequest.newBuilder().setNewest(true).setHeartbeatMillis(OFTEN).build());
    WaitReply heartbeat = WaitReply.newBuilder().setHeartbeat(true).build();
    assertThat(replies.next()).isEqualTo(heartbeat);
    assertThat(replies.next().getSynced()).isTrue();
    assertThat(replies.next()).isEqualTo(heartbeat);
  }
}
