package dev.portolan.server;

import static dev.portolan.server.World.service;
import static dev.portolan.server.World.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Report;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.v1.NodesRequest;
import dev.portolan.api.v1.WaitReply;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.server.encoding.WholeStates;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Changes for clients that want them as they come. */
final class PushTest {
  private static final OpItem AWAITED = OpItem.newBuilder().setReportsAwaited(true).build();
  private static final OpItem HEARTBEAT = OpItem.getDefaultInstance();

  @AutoClose private final Rig rig = rig(Limits.DEFAULT);

  private static Rig rig(Limits limits) {
    return new Rig(Options.builder().limits(limits).listen(ListenAddress.plain(Rig.freeSocket())));
  }

  private static WatchReq.Builder pushing(String node) {
    return WatchReq.newBuilder()
        .setNodeName(node)
        .addSets(Set.ServicesSet)
        .addSets(Set.NodeFactsSet)
        .setBatchBytes(1 << 20)
        .setPush(true);
  }

  private static RawStream<WatchReq> open(Rig rig) {
    return RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
  }

  /** Services whose state is many messages. */
  private static ClusterDelta.Builder many(String address) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = 0; i < 400; i++) {
      delta.set(service("s" + i, i)).set(slice("s" + i, address));
    }
    return delta;
  }

  @Test
  void changesComeWithoutBeingAskedFor() throws Exception {
    rig.apply(ClusterDelta.builder().set(service("web", 1)).set(slice("web", "10.1.0.1")));
    try (RawStream<WatchReq> stream = open(rig)) {
      OpItem first = stream.ask(pushing("n1").build()).getLast();
      assertThat(first.getChange().getPushed()).isTrue();
      for (int i = 2; i < 5; i++) {
        rig.apply(ClusterDelta.builder().set(slice("web", "10.1.0." + i)));
        List<OpItem> changes = stream.changeSet();
        assertThat(RawStream.lines(changes)).containsExactly("set ServicesSet default/web", "sync");
        assertThat(changes.getLast().getChange().getPosition().getRevision())
            .isEqualTo(first.getChange().getPosition().getRevision() + i - 1);
      }
      ClusterDelta.Builder all = ClusterDelta.builder().removeService(World.name("web"));
      rig.apply(all.set(service("shop", 2)));
      assertThat(RawStream.lines(stream.changeSet()))
          .containsExactly(
              "set ServicesSet default/shop", "delete ServicesSet default/web", "sync");
    }
  }

  @Test
  void aChangeOfManyMessagesIsWhole() throws Exception {
    rig.apply(many("10.1.0.1"));
    try (RawStream<WatchReq> stream = open(rig)) {
      stream.ask(pushing("n1").build());
      rig.apply(many("10.1.0.2"));
      assertThat(stream.changeSet()).hasSize(401);
      rig.apply(ClusterDelta.builder().set(slice("s7", "10.1.0.3")));
      assertThat(RawStream.lines(stream.changeSet()))
          .containsExactly("set ServicesSet default/s7", "sync");
    }
  }

  @Test
  void aWholeStateIsPackedForThoseThatTakeThat() throws Exception {
    rig.apply(many("10.1.0.1").set(World.localService("web", 500)).set(slice("web", "10.1.0.9")));
    try (RawStream<WatchReq> before = open(rig);
        RawStream<WatchReq> own = open(rig);
        RawStream<WatchReq> other = open(rig)) {
      before.ask(pushing("n3").setGzip(true).build());
      rig.apply(
          ClusterDelta.builder().set(slice("s7", "10.1.0.3")).removeService(World.name("s8")));
      assertWhole(own, "n1");
      assertWhole(other, "n2");
    }
  }

  private void assertWhole(RawStream<WatchReq> stream, String node) throws Exception {
    stream.send(pushing(node).setGzip(true).build());
    assertThat(stream.next().hasReset()).isTrue();
    OpItem packed = stream.next();
    List<OpItem> items =
        new ArrayList<>(StreamItem.unpack(packed.getPacked(), WholeStates.PACKED_BYTES));
    assertThat(items).hasSize(401);
    items.addAll(stream.changeSet());
    assertThat(items).as("what came since, and the node's own").hasSizeLessThan(410);
    Held held = new Held();
    held.take(items);
    NodeImage image = rig.brain.decision(node, NodeSettings.DEFAULT).image();
    assertThat(held.image().sameAs(image)).isTrue();
  }

  @Test
  void whatChangesWhileAStateIsBeingSentComesAfterIt() throws Exception {
    rig.apply(many("10.1.0.1"));
    try (RawStream<WatchReq> stream = open(rig)) {
      stream.send(pushing("n1").setBatchBytes(0).build());
      assertThat(stream.next().hasReset()).isTrue();
      for (int i = 0; i < 50; i++) {
        rig.apply(ClusterDelta.builder().set(slice("s1", "10.2.0." + i)));
      }
      List<OpItem> items = stream.changeSet();
      long newest = rig.client("n1").revision();
      while (items.getLast().getChange().getPosition().getRevision() < newest) {
        items.addAll(stream.changeSet());
      }
      Held held = new Held();
      held.take(items);
      assertThat(held.image().services().flat())
          .isEqualTo(rig.brain.decision("n1", NodeSettings.DEFAULT).image().services().flat());
    }
  }

  @Test
  void nodesWithEndpointsOfTheirOwnSeeTheirs() throws Exception {
    rig.apply(
        ClusterDelta.builder()
            .set(World.localService("web", 1))
            .set(slice("web", "10.1.0.1"))
            .set(service("shop", 2)));
    try (RawStream<WatchReq> own = open(rig);
        RawStream<WatchReq> other = open(rig)) {
      Held atOwn = new Held();
      Held atOther = new Held();
      atOwn.take(own.ask(pushing("n1").build()));
      atOther.take(other.ask(pushing("n2").build()));
      rig.apply(
          ClusterDelta.builder()
              .set(slice("web", "10.1.0.1", "10.1.0.2"))
              .set(slice("shop", "10.1.0.9")));
      atOwn.take(own.changeSet());
      atOther.take(other.changeSet());
      assertThat(atOwn.image().services().flat())
          .isEqualTo(rig.brain.decision("n1", NodeSettings.DEFAULT).image().services().flat());
      assertThat(atOther.image().services().flat())
          .isEqualTo(rig.brain.decision("n2", NodeSettings.DEFAULT).image().services().flat())
          .isNotEqualTo(atOwn.image().services().flat());
    }
  }

  @Test
  void aClientThatDoesNotReadDelaysNobodyAndIsEnded() throws Exception {
    try (Rig hasty = rig(Limits.DEFAULT.withStalled(Duration.ofMillis(500)))) {
      hasty.apply(many("10.1.0.1"));
      RawStream<WatchReq> slow = RawStream.open(hasty.narrowChannel(4096), Methods.LOCAL_WATCH);
      slow.ask(pushing("n0").build());
      List<RawStream<WatchReq>> streams = new ArrayList<>();
      for (int i = 1; i < 1_000; i++) {
        streams.add(open(hasty));
        streams.getLast().ask(pushing("n" + i).build());
      }
      hasty.apply(many("10.1.0.2"));
      for (RawStream<WatchReq> stream : streams) {
        assertThat(stream.changeSet()).hasSize(401);
      }
      Await.until("it is ended", () -> !hasty.client("n0").connected());
      assertThat(hasty.client("n0").error())
          .isEqualTo("the client has not read its data for 0.5 s");
      assertThat(slow.end().getCode()).isIn(Status.Code.DEADLINE_EXCEEDED, Status.Code.CANCELLED);
      streams.forEach(RawStream::close);
    }
  }

  @Test
  void otherSetsAreAskedFor() throws Exception {
    rig.apply(ClusterDelta.builder().set(service("web", 1)));
    try (RawStream<WatchReq> stream = open(rig)) {
      WatchReq kpng = WatchReq.newBuilder().setNodeName("n1").setPush(true).build();
      stream.ask(kpng);
      rig.apply(ClusterDelta.builder().set(slice("web", "10.1.0.1")));
      assertThat(stream.isQuiet()).isTrue();
      assertThat(RawStream.lines(stream.ask(kpng)))
          .contains("set EndpointsSet default/web/10.1.0.1");
    }
  }

  @Test
  void whoIsPushedToMayOnlyReport() throws Exception {
    rig.apply(ClusterDelta.builder().set(service("web", 1)));
    try (RawStream<WatchReq> stream = open(rig)) {
      OpItem sync = stream.ask(pushing("n1").build()).getLast();
      stream.send(
          WatchReq.newBuilder()
              .setReportOnly(true)
              .setReport(Report.newBuilder().setApplied(sync.getChange().getPosition()))
              .build());
      Await.until("the report", () -> rig.client("n1").applied() > 0);
      stream.send(pushing("n1").build());
      Status end = stream.end();
      assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(end.getDescription())
          .isEqualTo("changes are pushed to this client; it may only report (ReportOnly)");
    }
  }

  @Test
  void aClientThatWantsNoMoreIsLetGo() throws Exception {
    rig.apply(ClusterDelta.builder().set(service("web", 1)));
    try (RawStream<WatchReq> stream = open(rig)) {
      stream.ask(pushing("n1").build());
      stream.halfClose();
      assertThat(stream.end().isOk()).isTrue();
    }
    Await.until("it is gone", () -> !rig.client("n1").connected());
  }

  @Test
  void whoWaitsHasClientsReportAtOnce() throws Exception {
    rig.apply(ClusterDelta.builder().set(service("web", 1)));
    try (RawStream<WatchReq> stream = open(rig)) {
      stream.send(pushing("n1").setHeartbeatMillis(600_000).build());
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
      stream.changeSet();
      try (Context.CancellableContext call = Context.current().withCancellation()) {
        Iterator<WaitReply> waiting =
            call.call(() ->
                ClientCalls.blockingServerStreamingCall(
                    rig.channel(),
                    Methods.WAIT,
                    CallOptions.DEFAULT,
                    WaitRequest.newBuilder().setNewest(true).build()));
        assertThat(waiting.next().getSynced()).isTrue();
        assertThat(stream.next()).isEqualTo(AWAITED);
      }
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
      ClientCalls.blockingUnaryCall(
          rig.channel(),
          Methods.NODES,
          CallOptions.DEFAULT,
          NodesRequest.newBuilder().setAgain(true).build());
      assertThat(stream.next()).isEqualTo(AWAITED);
      assertThat(stream.next()).isEqualTo(HEARTBEAT);
    }
  }
}
