package dev.portolan.server;

import static dev.portolan.server.RawStream.lines;
import static dev.portolan.server.World.name;
import static dev.portolan.server.World.service;
import static dev.portolan.server.World.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.Audit;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Position;
import dev.portolan.api.localv1.Report;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.net.Protocol;
import dev.portolan.testbase.Await;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a program that knows nothing of ours sees of one node. */
class LocalWatchTest {
  private static final WatchReq N1 = WatchReq.newBuilder().setNodeName("n1").build();
  private static final WatchReq OWN =
      N1.toBuilder().addSets(Set.ServicesSet).addSets(Set.NodeFactsSet).build();

  @AutoClose private Rig rig;

  @BeforeEach
  void start() throws Exception {
    rig = Rig.onSocket();
  }

  private RawStream<WatchReq> open() {
    return RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
  }

  private static Position position(List<OpItem> changeSet) {
    return changeSet.getLast().getChange().getPosition();
  }

  private void applyExchangeStart() {
    rig.apply(
        ClusterDelta.builder()
            .set(service("kubernetes", 1))
            .set(slice("kubernetes", "192.168.0.1"))
            .set(service("old", 2))
            .set(slice("old", "10.1.0.9"))
            .set(service("web", 3))
            .set(slice("web", "10.1.0.1")));
  }

  @Test
  void aClientThatTakesBatchesGetsTheSameInFewerMessages() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> alone = open();
        RawStream<WatchReq> stream = open()) {
      stream.send(OWN.toBuilder().setBatchBytes(-1).build());
      assertThat(stream.next().hasReset()).isTrue();
      assertThat(stream.next().getItemsList()).containsExactlyElementsOf(rest(alone.ask(OWN)));
      rig.apply(ClusterDelta.builder().set(slice("web", "10.1.0.2")));
      stream.send(OWN);
      assertThat(stream.next().getItemsList()).containsExactlyElementsOf(alone.ask(OWN));
    }
  }

  @Test
  void aBatchIsNotLargerThanItsClientWants() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> alone = open();
        RawStream<WatchReq> stream = open()) {
      List<OpItem> items = rest(alone.ask(OWN));
      int two = items.get(1).getSerializedSize() + items.get(2).getSerializedSize() + 10;
      stream.send(OWN.toBuilder().setBatchBytes(two).build());
      assertThat(stream.next().hasReset()).isTrue();
      List<OpItem> came = new ArrayList<>();
      while (came.size() < items.size()) {
        OpItem message = stream.next();
        assertThat(message.getSerializedSize()).isLessThanOrEqualTo(two);
        came.addAll(message.getItemsCount() > 0 ? message.getItemsList() : List.of(message));
      }
      assertThat(came).isEqualTo(items);
    }
  }

  private static List<OpItem> rest(List<OpItem> changeSet) {
    return changeSet.subList(1, changeSet.size());
  }

  @Test
  void anExchangeLooksAsKpngHasIt() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> stream = open()) {
      List<OpItem> first = stream.ask(N1);
      assertThat(lines(first))
          .containsExactly(
              "reset",
              "set ServicesSet default/kubernetes",
              "set ServicesSet default/old",
              "set ServicesSet default/web",
              "set EndpointsSet default/kubernetes/192.168.0.1",
              "set EndpointsSet default/old/10.1.0.9",
              "set EndpointsSet default/web/10.1.0.1",
              "sync");
      assertThat(first.getFirst().toByteArray()).asHexString().isEqualTo("2200");
      assertThat(first.getLast().toByteArray()).asHexString().isEqualTo("0A00");

      stream.send(N1);
      rig.apply(
          ClusterDelta.builder()
              .set(slice("kubernetes", "192.168.0.2"))
              .set(slice("web", "10.1.0.1", "10.1.0.2"))
              .removeService(name("old"))
              .removeSlice(name("old-1")));
      assertThat(lines(stream.changeSet()))
          .containsExactly(
              "set ServicesSet default/kubernetes",
              "set ServicesSet default/web",
              "delete EndpointsSet default/old/10.1.0.9",
              "delete EndpointsSet default/kubernetes/192.168.0.1",
              "set EndpointsSet default/kubernetes/192.168.0.2",
              "set EndpointsSet default/web/10.1.0.2",
              "delete ServicesSet default/old",
              "sync");
    }
  }

  @Test
  void anEmptyClusterIsSyncedToo() throws Exception {
    try (RawStream<WatchReq> stream = open()) {
      stream.send(N1);
      assertThat(lines(List.of(stream.next()))).containsExactly("reset");
      rig.client("n1");
      assertThat(stream.isQuiet()).isTrue();
      rig.apply(ClusterDelta.builder());
      assertThat(lines(List.of(stream.next()))).containsExactly("sync");
    }
  }

  @Test
  void nothingComesThatWasNotAskedFor() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> stream = open()) {
      stream.ask(N1);
      for (int i = 0; i < 5; i++) {
        rig.apply(ClusterDelta.builder().set(slice("web", "10.1.0.1", "10.1.1." + i)));
      }
      Await.until("revision 6", () -> rig.server.clients().getFirst().revision() == 6);
      assertThat(stream.isQuiet()).isTrue();
      assertThat(lines(stream.ask(N1)))
          .as("all at once")
          .containsExactly(
              "set ServicesSet default/web", "set EndpointsSet default/web/10.1.1.4", "sync");
    }
  }

  @Test
  void eachRequestIsAnsweredEvenIfTheyComeTogether() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> stream = open()) {
      stream.send(N1);
      stream.send(N1);
      stream.send(N1);
      assertThat(stream.changeSet()).hasSize(8);
      for (String address : List.of("10.1.0.7", "10.1.0.8")) {
        rig.apply(ClusterDelta.builder().set(slice("web", address)));
        assertThat(lines(stream.changeSet())).contains("set EndpointsSet default/web/" + address);
      }
    }
  }

  @Test
  void anotherNodeIsAnsweredAtOnceWithTheDifference() throws Exception {
    applyExchangeStart();
    rig.apply(ClusterDelta.builder().set(World.sliceOn("n2", "web", "10.1.0.1")));
    try (RawStream<WatchReq> stream = open()) {
      assertThat(local(stream.ask(N1))).containsExactly(true, true, false);
      List<OpItem> other = stream.ask(N1.toBuilder().setNodeName("n2").build());
      assertThat(lines(other))
          .containsExactly(
              "set EndpointsSet default/kubernetes/192.168.0.1",
              "set EndpointsSet default/old/10.1.0.9",
              "set EndpointsSet default/web/10.1.0.1",
              "sync");
      assertThat(local(other)).containsExactly(false, false, true);
      assertThat(rig.server.clients()).extracting(ClientStatus::node).containsExactly("n2");
    }
  }

  private static List<Boolean> local(List<OpItem> items) throws Exception {
    List<Boolean> local = new java.util.ArrayList<>();
    for (OpItem item : items) {
      if (item.getSet().getRef().getSet() == Set.EndpointsSet) {
        local.add(Endpoint.parseFrom(item.getSet().getBytes()).getLocal());
      }
    }
    return local;
  }

  private static Service labelled(String name, int number, String version) {
    return Service.named("default", name)
        .clusterIps(List.of("10.96.0." + number))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
        .metadata(ServiceMetadata.of(Map.of("version", version), Map.of("note", "n")))
        .build();
  }

  @Test
  void labelsAndAnnotationsComeToThoseThatAskForThem() throws Exception {
    WatchReq asking = OWN.toBuilder().addSets(Set.ServiceMetadataSet).build();
    try (Rig keeping =
            new Rig(
                Options.builder().metadata(true).listen(ListenAddress.plain(Rig.freeSocket())));
        RawStream<WatchReq> stream = RawStream.open(keeping.channel(), Methods.LOCAL_WATCH);
        RawStream<WatchReq> usual = RawStream.open(keeping.channel(), Methods.LOCAL_WATCH)) {
      keeping.apply(ClusterDelta.builder().set(labelled("web", 1, "a")).set(service("plain", 2)));
      List<OpItem> first = stream.ask(asking);
      assertThat(lines(first))
          .containsExactly(
              "reset",
              "set NodeFactsSet n1",
              "set ServicesSet default/plain",
              "set ServicesSet default/web",
              "set ServiceMetadataSet default/web",
              "sync");
      dev.portolan.api.localv1.ServiceMetadata value =
          dev.portolan.api.localv1.ServiceMetadata.parseFrom(first.get(4).getSet().getBytes());
      assertThat(value.getLabelsMap()).containsExactly(Map.entry("version", "a"));
      assertThat(value.getAnnotationsMap()).containsExactly(Map.entry("note", "n"));
      usual.ask(OWN);
      usual.send(OWN);

      stream.send(asking);
      keeping.apply(ClusterDelta.builder().set(labelled("web", 1, "b")));
      assertThat(lines(stream.changeSet()))
          .as("labels alone")
          .containsExactly("set ServiceMetadataSet default/web", "sync");
      assertThat(usual.isQuiet()).isTrue();

      stream.send(asking);
      keeping.apply(ClusterDelta.builder().removeService(World.name("web")));
      assertThat(lines(stream.changeSet()))
          .containsExactly(
              "delete ServiceMetadataSet default/web", "delete ServicesSet default/web", "sync");
    }
    try (RawStream<WatchReq> stream = open()) {
      stream.send(asking);
      Status end = stream.end();
      assertThat(end.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(end.getDescription()).contains("--service-metadata");
    }
  }

  @Test
  void setsThatWereNamedOnceStayNamed() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> stream = open()) {
      stream.ask(OWN);
      stream.send(N1);
      rig.apply(ClusterDelta.builder().set(slice("web", "10.1.0.2")));
      List<OpItem> second = stream.changeSet();
      assertThat(lines(second)).containsExactly("set ServicesSet default/web", "sync");
      assertThat(position(second).getInstance()).isNotZero();
    }
  }

  @Test
  void otherSetsAreAnsweredAtOnceWithTheDifference() throws Exception {
    rig.apply(ClusterDelta.builder().set(service("web", 3)).set(slice("web", "10.1.0.1")));
    try (RawStream<WatchReq> stream = open()) {
      assertThat(lines(stream.ask(OWN)))
          .containsExactly("reset", "set NodeFactsSet n1", "set ServicesSet default/web", "sync");
      assertThat(
              lines(
                  stream.ask(
                      N1.toBuilder().addSets(Set.ServicesSet).addSets(Set.EndpointsSet).build())))
          .containsExactly(
              "delete NodeFactsSet n1", "set EndpointsSet default/web/10.1.0.1", "sync");
      assertThat(lines(stream.ask(OWN)))
          .containsExactly(
              "set NodeFactsSet n1", "delete EndpointsSet default/web/10.1.0.1", "sync");
    }
  }

  @Test
  void aChangeThatTheClientDidNotAskForIsNoChange() throws Exception {
    rig.apply(ClusterDelta.builder());
    try (RawStream<WatchReq> stream = open()) {
      stream.ask(N1);
      stream.send(N1);
      rig.apply(ClusterDelta.builder().set(World.node("n1", "192.168.0.10")));
      Await.until("the facts", () -> rig.server.clients().getFirst().sent() == 2);
      assertThat(stream.isQuiet()).isTrue();
      rig.apply(ClusterDelta.builder().set(service("web", 3)));
      assertThat(lines(stream.changeSet())).containsExactly("set ServicesSet default/web", "sync");
    }
  }

  @Test
  void aClientThatComesBackGetsTheDifference() throws Exception {
    applyExchangeStart();
    Position left;
    try (RawStream<WatchReq> stream = open()) {
      left = position(stream.ask(OWN));
      assertThat(left.getRevision()).isEqualTo(1);
    }
    rig.apply(ClusterDelta.builder().removeService(name("old")));
    try (RawStream<WatchReq> stream = open()) {
      List<OpItem> missed = stream.ask(OWN.toBuilder().setResume(left).build());
      assertThat(lines(missed)).containsExactly("delete ServicesSet default/old", "sync");
      assertThat(position(missed)).isEqualTo(left.toBuilder().setRevision(2).build());
    }
    Position newest = left.toBuilder().setRevision(2).build();
    try (RawStream<WatchReq> stream = open()) {
      WatchReq request = OWN.toBuilder().setResume(newest).build();
      assertThat(lines(stream.ask(request))).as("nothing missed").containsExactly("sync");
      stream.send(request);
      rig.apply(ClusterDelta.builder().removeService(name("web")));
      assertThat(lines(stream.changeSet()))
          .as("the position counts once")
          .containsExactly("delete ServicesSet default/web", "sync");
    }
  }

  @Test
  void aSyncSaysWhenItsChangesHappened() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> stream = open()) {
      assertThat(stream.ask(OWN).getLast().getChange().getTriggersList()).isEmpty();
      stream.send(OWN);
      Instant when = Instant.parse("2026-01-01T00:00:00Z");
      EndpointSlice slice = slice("web", "10.1.0.1", "10.1.0.2");
      rig.apply(
          ClusterDelta.builder()
              .set(
                  new EndpointSlice(
                      slice.name(),
                      slice.serviceName(),
                      slice.addressType(),
                      slice.ports(),
                      slice.members(),
                      false,
                      when)));
      Change change = stream.changeSet().getLast().getChange();
      assertThat(change.getTriggersList()).hasSize(1);
      assertThat(change.getTriggers(0).getName()).isEqualTo("web");
      assertThat(change.getTriggers(0).getUnixNanos()).isEqualTo(when.toEpochMilli() * 1_000_000);
    }
  }

  @Test
  void aStateThatIsNotKnownMeansEverything() throws Exception {
    rig.apply(ClusterDelta.builder().set(service("web", 3)));
    Position known;
    try (RawStream<WatchReq> stream = open()) {
      known = position(stream.ask(OWN));
    }
    for (Position unknown :
        List.of(
            known.toBuilder().setRevision(7).build(),
            known.toBuilder().setInstance(known.getInstance() + 1).build(),
            Position.getDefaultInstance())) {
      try (RawStream<WatchReq> stream = open()) {
        assertThat(lines(stream.ask(OWN.toBuilder().setResume(unknown).build())))
            .containsExactly("reset", "set NodeFactsSet n1", "set ServicesSet default/web", "sync");
      }
    }
  }

  @Test
  void theOlderNameIsServedTheSame() throws Exception {
    applyExchangeStart();
    List<MethodDescriptor<WatchReq, OpItem>> names =
        List.of(Methods.LOCAL_WATCH, Methods.LOCAL_WATCH_BEFORE);
    for (MethodDescriptor<WatchReq, OpItem> method : names) {
      try (RawStream<WatchReq> stream = RawStream.open(rig.channel(), method)) {
        assertThat(stream.ask(N1)).hasSize(8);
      }
    }
  }

  @Test
  void whoAsksForNonsenseIsToldSo() throws Exception {
    rig.apply(ClusterDelta.builder());
    assertEnd(
        WatchReq.getDefaultInstance(),
        "the request names no node, and this server answers for many; name one (--node)");
    assertEnd(
        N1.toBuilder().addSets(Set.GlobalSlices).build(),
        "localv1.Sets/Watch has no set GlobalSlices; ask for some of"
            + " [ServicesSet, EndpointsSet, NodeFactsSet, ServiceMetadataSet]");
  }

  private void assertEnd(WatchReq request, String sentence) throws Exception {
    try (RawStream<WatchReq> stream = open()) {
      stream.send(request);
      Status end = stream.end();
      assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(end.getDescription()).isEqualTo(sentence);
    }
  }

  @Test
  void aServerMayHaveANodeForThoseThatNameNone() throws Exception {
    try (Rig own =
        new Rig(
            Options.builder().listen(ListenAddress.plain(Rig.freeSocket())).defaultNode("n7"))) {
      own.apply(ClusterDelta.builder());
      try (RawStream<WatchReq> stream = RawStream.open(own.channel(), Methods.LOCAL_WATCH)) {
        stream.ask(WatchReq.getDefaultInstance());
        assertThat(own.server.clients().getFirst().node()).isEqualTo("n7");
      }
    }
  }

  @Test
  void aClientThatAsksNoMoreIsLetGo() throws Exception {
    rig.apply(ClusterDelta.builder());
    try (RawStream<WatchReq> stream = open()) {
      stream.ask(N1);
      stream.halfClose();
      assertThat(stream.end().isOk()).isTrue();
    }
  }

  @Test
  void whatAClientReportsIsSeen() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> stream = open()) {
      Position first = position(stream.ask(OWN.toBuilder().setClientName("tester").build()));
      ClientStatus fresh = rig.client("n1");
      assertThat(fresh.client()).isEqualTo("tester");
      assertThat(fresh.connected()).isTrue();
      assertThat(fresh.reports()).isFalse();
      Await.until("sent", () -> rig.server.clients().getFirst().sent() == 1);

      stream.send(OWN.toBuilder().setReport(Report.newBuilder().setApplied(first)).build());
      Await.until("applied", () -> rig.server.clients().getFirst().applied() == 1);
      assertThat(rig.client("n1").reports()).isTrue();
      assertThat(rig.client("n1").behindSince()).isEmpty();

      rig.apply(ClusterDelta.builder().removeService(name("web")));
      stream.changeSet();
      assertThat(rig.client("n1").behindSince()).isPresent();
      stream.send(report(Report.newBuilder().setApplied(first).setError("no such table").build()));
      Await.until("the error", () -> !rig.server.clients().getFirst().error().isEmpty());
      ClientStatus failing = rig.client("n1");
      assertThat(failing.error()).isEqualTo("no such table");
      assertThat(failing.applied()).isEqualTo(1);
      assertThat(failing.revision()).isEqualTo(2);

      stream.send(report(Report.newBuilder().setApplied(first.toBuilder().setRevision(2)).build()));
      Await.until("caught up", () -> rig.server.clients().getFirst().applied() == 2);
      assertThat(rig.client("n1").error()).isEmpty();
      assertThat(rig.client("n1").behindSince()).isEmpty();
      assertThat(rig.client("n1").audit()).isEmpty();

      Audit audit = Audit.newBuilder().setDifferences(3).setUnixNanos(1_000_000_007).build();
      stream.send(report(Report.newBuilder().setApplied(first).setAudit(audit).build()));
      Await.until("audited", () -> rig.server.clients().getFirst().audit().isPresent());
      assertThat(rig.client("n1").audit())
          .contains(new ClientStatus.AuditReport(Instant.ofEpochSecond(1, 7), 3));
      assertThat(stream.isQuiet()).isTrue();
    }
    Await.until("gone", () -> !rig.server.clients().getFirst().connected());
    Await.until("a word", () -> rig.log.contains("tester of node n1 at unix socket has left"));
    try (RawStream<WatchReq> stream = open()) {
      stream.ask(OWN.toBuilder().setClientName("tester").build());
      assertThat(rig.server.clients()).as("back in its place").hasSize(1);
      assertThat(rig.client("n1").connected()).isTrue();
    }
  }

  @Test
  void reportsCountInTheOrderInWhichTheyWereSent() throws Exception {
    applyExchangeStart();
    try (RawStream<WatchReq> stream = open()) {
      Position first = position(stream.ask(OWN));
      Report applied = Report.newBuilder().setApplied(first).build();
      for (int i = 0; i < 300; i++) {
        String sentence = "trouble " + i;
        stream.send(OWN.toBuilder().setReport(applied).build());
        stream.send(report(applied.toBuilder().setError(sentence).build()));
        rig.apply(ClusterDelta.builder().set(service("web", 100 + i)));
        stream.changeSet();
        Await.until(sentence, () -> rig.server.clients().getFirst().error().equals(sentence));
      }
    }
  }

  private static WatchReq report(Report report) {
    return OWN.toBuilder().setReport(report).setReportOnly(true).build();
  }
}
