package dev.portolan.server;

import static dev.portolan.server.World.service;
import static dev.portolan.server.World.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localnetv1.NextFilter;
import dev.portolan.api.localnetv1.NextItem;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Position;
import dev.portolan.api.localv1.Report;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.v1.NodesRequest;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients that are slow, gone, greedy or many. */
class HardTimesTest {
  private static final WatchReq N1 = WatchReq.newBuilder().setNodeName("n1").build();

  private static Rig rig(Limits limits) {
    return new Rig(Options.builder().limits(limits).listen(ListenAddress.plain(Rig.freeSocket())));
  }

  /** Services with many endpoints, whose state has a few megabytes. */
  private static ClusterDelta.Builder muchToRead() {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = 0; i < 400; i++) {
      String[] addresses =
          IntStream.range(0, 100).mapToObj(j -> "10.1." + j + ".7").toArray(String[]::new);
      delta.set(service("s" + i, i)).set(slice("s" + i, addresses));
    }
    return delta;
  }

  @Test
  void aClientThatDoesNotReadHoldsNothingAndIsEnded() throws Exception {
    Reader reader = new Reader();
    try (Rig rig = rig(Limits.DEFAULT.withStalled(Duration.ofMillis(500)))) {
      rig.apply(muchToRead());
      ClientCall<WatchReq, OpItem> call =
          rig.channel().newCall(Methods.LOCAL_WATCH, CallOptions.DEFAULT);
      call.start(reader, new Metadata());
      call.sendMessage(N1);
      Await.until(
          "ended", () -> rig.server.clients().stream().anyMatch(client -> !client.connected()));
      ClientStatus status = rig.client("n1");
      assertThat(status.error()).isEqualTo("the client has not read its data for 0.5 s");
      assertThat(status.sent()).isZero();
      Await.until("a word about it", () -> rig.log.size() == 2);
      assertThat(rig.log)
          .anyMatch(line ->
              line.startsWith("a client of node n1 at unix socket was ended: the client has not"));

      call.request(Integer.MAX_VALUE);
      Status end = reader.end.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(end.getCode())
          .as("why, or later that it was reset")
          .isIn(Status.Code.DEADLINE_EXCEEDED, Status.Code.CANCELLED);
    }
    try (Rig patient = rig(Limits.DEFAULT)) {
      patient.apply(muchToRead());
      assertThat(reader.bytes.get())
          .as("what the server had handed out")
          .isLessThan(sizeOfState(patient) / 2);
    }
  }

  @Test
  void whatAnEndedClientLeftUnreadIsDroppedAndItsStreamReset() throws Exception {
    Limits usual = Limits.DEFAULT.withStalled(Duration.ofMillis(100));
    Limits one =
        new Limits(
            usual.requestBytes(),
            1,
            usual.connections(),
            usual.requestsPerSecond(),
            usual.views(),
            usual.viewIdle(),
            usual.history(),
            usual.historyAge(),
            usual.stalled(),
            usual.forgotten(),
            usual.silent());
    try (Rig rig = rig(one)) {
      rig.apply(muchToRead());
      ManagedChannel channel = rig.channel();
      ClientCall<WatchReq, OpItem> slow = channel.newCall(Methods.LOCAL_WATCH, CallOptions.DEFAULT);
      slow.start(new Reader(), new Metadata());
      slow.sendMessage(N1);
      Await.until(
          "ended", () -> rig.server.clients().stream().anyMatch(client -> !client.connected()));
      // The connection has room for one stream, so another comes only when this one is gone.
      assertThat(
              ClientCalls.blockingUnaryCall(
                      channel,
                      Methods.NODES,
                      CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                      NodesRequest.getDefaultInstance())
                  .getSynced())
          .isTrue();
      slow.cancel("the test is over", null);
    }
  }

  @Test
  void aWholeAnswerMayBeReadLater() throws Exception {
    try (Rig rig = rig(Limits.DEFAULT)) {
      String[] addresses =
          IntStream.range(0, 60_000)
              .mapToObj(i -> "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255))
              .toArray(String[]::new);
      rig.apply(ClusterDelta.builder().set(service("web", 1)).set(slice("web", addresses)));
      CompletableFuture<Status> end = new CompletableFuture<>();
      ClientCall<NextFilter, NextItem> call =
          rig.channel()
              .newCall(Methods.NEXT, CallOptions.DEFAULT.withMaxInboundMessageSize(1 << 28));
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              end.complete(status);
            }
          },
          new Metadata());
      call.sendMessage(NextFilter.newBuilder().setNodeName("n1").build());
      call.halfClose();
      Thread.sleep(2_000); // Longer than one that failed would have for it.
      call.request(Integer.MAX_VALUE);
      assertThat(end.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS).isOk()).isTrue();
    }
  }

  private static final class Reader extends ClientCall.Listener<OpItem> {
    private final AtomicLong bytes = new AtomicLong();
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    @Override
    public void onMessage(OpItem item) {
      bytes.addAndGet(item.getSerializedSize());
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }

  private static long sizeOfState(Rig rig) throws Exception {
    Reader reader = new Reader();
    ClientCall<WatchReq, OpItem> call =
        rig.channel().newCall(Methods.LOCAL_WATCH, CallOptions.DEFAULT);
    call.start(reader, new Metadata());
    call.request(Integer.MAX_VALUE);
    call.sendMessage(N1);
    call.halfClose();
    assertThat(reader.end.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS).isOk()).isTrue();
    return reader.bytes.get();
  }

  @Test
  void aClientThatIsSlowMissesWhatLiesBetween() throws Exception {
    try (Rig rig = rig(Limits.DEFAULT)) {
      rig.apply(muchToRead());
      try (RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH)) {
        stream.send(N1);
        stream.next();
        for (int i = 0; i < 50; i++) {
          rig.apply(ClusterDelta.builder().set(slice("s1", "10.2.0." + i)));
        }
        stream.changeSet();
        List<OpItem> rest = stream.ask(N1);
        assertThat(RawStream.lines(rest))
            .contains("set EndpointsSet default/s1/10.2.0.49")
            .doesNotContain("set EndpointsSet default/s1/10.2.0.48");
      }
    }
  }

  @Test
  void aClientThatIsKilledIsSeenToBeGone() throws Exception {
    try (Rig rig = rig(Limits.DEFAULT)) {
      rig.apply(ClusterDelta.builder());
      ManagedChannel channel = rig.channel();
      RawStream<WatchReq> waiting = RawStream.open(channel, Methods.LOCAL_WATCH);
      waiting.ask(N1);
      waiting.send(N1);
      assertThat(rig.client("n1").connected()).isTrue();
      channel.shutdownNow();
      Await.until("gone", () -> !rig.server.clients().getFirst().connected());
      Await.until("a word about it", () -> rig.log.size() == 2);
      assertThat(rig.log)
          .containsExactly(
              "a client of node n1 at unix socket has come",
              "a client of node n1 at unix socket has left");
    }
  }

  @Test
  void aRequestThatIsTooLargeIsRefused() throws Exception {
    try (Rig rig = rig(Limits.DEFAULT);
        RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH)) {
      stream.send(WatchReq.newBuilder().setNodeName("n".repeat(2 << 20)).build());
      assertThat(stream.end().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }
  }

  @Test
  void aThousandClientsWaitAndAreAllTold() throws Exception {
    int many = 1_000;
    try (Rig rig = rig(Limits.DEFAULT)) {
      rig.apply(ClusterDelta.builder().set(service("web", 1)).set(slice("web", "10.1.0.1")));
      List<RawStream<WatchReq>> streams = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        streams.add(RawStream.open(rig.channel(), Methods.LOCAL_WATCH));
        streams.getLast().send(WatchReq.newBuilder().setNodeName("n" + i % 500).build());
      }
      for (int i = 0; i < many; i++) {
        streams.get(i).changeSet();
        streams.get(i).send(WatchReq.newBuilder().setNodeName("n" + i % 500).build());
      }
      assertThat(rig.server.clients()).hasSize(many).allMatch(ClientStatus::connected);
      rig.apply(ClusterDelta.builder().set(slice("web", "10.1.0.2")));
      for (RawStream<WatchReq> stream : streams) {
        assertThat(RawStream.lines(stream.changeSet()))
            .containsExactly(
                "set ServicesSet default/web",
                "delete EndpointsSet default/web/10.1.0.1",
                "set EndpointsSet default/web/10.1.0.2",
                "sync");
      }
    }
  }

  @Test
  void nodesThatNobodyWatchesMakeRoomForOthers() throws Exception {
    try (Rig rig = rig(Limits.DEFAULT.withViews(2, Duration.ofHours(1)))) {
      rig.apply(ClusterDelta.builder());
      ManagedChannel channel = rig.channel();
      RawStream<WatchReq> first = RawStream.open(channel, Methods.LOCAL_WATCH);
      first.ask(N1);
      RawStream<WatchReq> second = RawStream.open(channel, Methods.LOCAL_WATCH);
      second.ask(N1.toBuilder().setNodeName("n2").build());
      RawStream<WatchReq> third = RawStream.open(channel, Methods.LOCAL_WATCH);
      third.send(N1.toBuilder().setNodeName("n3").build());
      Status end = third.end();
      assertThat(end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(end.getDescription()).isEqualTo("this brain has reached its limit of 2 nodes");

      second.halfClose();
      assertThat(second.end().isOk()).isTrue();
      Await.until("n2 is free", () -> canWatch(channel, "n3"));
      first.close();
    }
  }

  private static boolean canWatch(ManagedChannel channel, String node) {
    try (RawStream<WatchReq> stream = RawStream.open(channel, Methods.LOCAL_WATCH)) {
      stream.send(WatchReq.newBuilder().setNodeName(node).build());
      stream.halfClose();
      return stream.end().isOk();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void requestsAreReadNoFasterThanTheLimit() throws Exception {
    int perSecond = 20;
    Limits usual = Limits.DEFAULT;
    Limits limits =
        new Limits(
            usual.requestBytes(),
            usual.streamsPerConnection(),
            usual.connections(),
            perSecond,
            usual.views(),
            usual.viewIdle(),
            usual.history(),
            usual.historyAge(),
            usual.stalled(),
            usual.forgotten(),
            usual.silent());
    try (Rig rig = rig(limits);
        RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH)) {
      rig.apply(ClusterDelta.builder());
      long start = System.nanoTime();
      Position position =
          stream
              .ask(N1.toBuilder().addSets(Set.ServicesSet).build())
              .getLast()
              .getChange()
              .getPosition();
      for (int i = 1; i <= 500; i++) {
        Report report = Report.newBuilder().setApplied(position.toBuilder().setRevision(i)).build();
        stream.send(N1.toBuilder().setReport(report).setReportOnly(true).build());
      }
      Await.until(
          "more than a second's worth", () -> rig.server.clients().getFirst().applied() > 25);
      long applied = rig.server.clients().getFirst().applied();
      double seconds = (System.nanoTime() - start) / 1e9;
      assertThat((double) applied).isLessThanOrEqualTo(perSecond * (seconds + 1) + 2);
    }
  }

  @Test
  void aServerThatStopsSaysSo() throws Exception {
    Rig rig = rig(Limits.DEFAULT);
    rig.apply(ClusterDelta.builder());
    RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
    stream.ask(N1);
    stream.send(N1);
    rig.server.close();
    Status end = stream.end();
    assertThat(end.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(end.getDescription()).isEqualTo("the brain is stopping");
    rig.server.awaitTermination();
    rig.close();
  }
}
