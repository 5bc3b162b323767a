package dev.portolan.server;

import static dev.portolan.server.RawStream.lines;
import static dev.portolan.server.World.name;
import static dev.portolan.server.World.service;
import static dev.portolan.server.World.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Position;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a program that knows nothing of ours sees of the cluster. */
class GlobalWatchTest {
  private static final GlobalWatchReq KPNG = GlobalWatchReq.getDefaultInstance();
  private static final GlobalWatchReq OWN =
      GlobalWatchReq.newBuilder()
          .addSets(Set.GlobalServiceInfos)
          .addSets(Set.GlobalSlices)
          .addSets(Set.GlobalNodeInfos)
          .addSets(Set.GlobalServiceCIDRs)
          .build();

  @AutoClose private Rig rig;

  @BeforeEach
  void start() throws Exception {
    rig = Rig.onSocket();
  }

  private RawStream<GlobalWatchReq> open() {
    return RawStream.open(rig.channel(), Methods.GLOBAL_WATCH);
  }

  private void applyCluster() {
    rig.apply(
        ClusterDelta.builder()
            .set(World.node("n1", "192.168.0.1"))
            .set(new ServiceCidr("kubernetes", List.of("10.96.0.0/16")))
            .set(service("web", 1))
            .set(slice("web", "10.1.0.1", "10.1.0.2")));
  }

  /** Lines, without the part of a path that is a hash. */
  private static List<String> readable(List<OpItem> items) {
    return lines(items).stream().map(line -> line.replaceAll("[|][0-9a-f]{6,16}$", "|#")).toList();
  }

  @Test
  void kpngGetsItsThreeSetsInItsOrder() throws Exception {
    applyCluster();
    try (RawStream<GlobalWatchReq> stream = open()) {
      List<OpItem> first = stream.ask(KPNG);
      assertThat(readable(first))
          .containsExactly(
              "reset",
              "set GlobalNodeInfos |n1||",
              "set GlobalServiceInfos default|web||",
              "set GlobalEndpointInfos default|web|web-1|#",
              "set GlobalEndpointInfos default|web|web-1|#",
              "sync");
      assertThat(first.getLast().toByteArray()).asHexString().isEqualTo("0A00");
      stream.send(KPNG);
      rig.apply(ClusterDelta.builder().removeServiceCidr("kubernetes"));
      rig.apply(
          ClusterDelta.builder()
              .removeNode("n1")
              .set(service("api", 2))
              .removeService(name("web"))
              .set(slice("web", "10.1.0.2", "10.1.0.3")));
      assertThat(readable(stream.changeSet()))
          .containsExactly(
              "set GlobalServiceInfos default|api||",
              "set GlobalEndpointInfos default|web|web-1|#",
              "delete GlobalEndpointInfos default|web|web-1|#",
              "delete GlobalServiceInfos default|web||",
              "delete GlobalNodeInfos |n1||",
              "sync");
    }
  }

  @Test
  void whatLabelsKeepFromProxiesIsForThoseWhoKnowLabels() throws Exception {
    applyCluster();
    try (RawStream<GlobalWatchReq> kpng = open();
        RawStream<GlobalWatchReq> own = open()) {
      kpng.ask(KPNG);
      own.ask(OWN);
      kpng.send(KPNG);
      own.send(OWN);
      rig.apply(ClusterDelta.builder().set(labelled()));
      assertThat(readable(kpng.changeSet()))
          .containsExactly("delete GlobalServiceInfos default|web||", "sync");
      assertThat(readable(own.changeSet()))
          .containsExactly("set GlobalServiceInfos default|web||", "sync");
      kpng.send(KPNG);
      rig.apply(ClusterDelta.builder().set(service("web", 1)));
      assertThat(readable(kpng.changeSet()))
          .containsExactly("set GlobalServiceInfos default|web||", "sync");
    }
  }

  private static Service labelled() {
    return Service.named("default", "web")
        .clusterIps(List.of("10.96.0.2"))
        .proxyName(Optional.of("other"))
        .build();
  }

  @Test
  void anEmptyClusterIsSyncedTooAndNotBeforeItIsKnown() throws Exception {
    try (RawStream<GlobalWatchReq> stream = open()) {
      stream.send(KPNG);
      assertThat(lines(List.of(stream.next()))).containsExactly("reset");
      rig.client("");
      assertThat(stream.isQuiet()).isTrue();
      rig.apply(ClusterDelta.builder());
      assertThat(lines(List.of(stream.next()))).containsExactly("sync");
    }
  }

  @Test
  void anotherBrainGetsObjectsAndMayComeBack() throws Exception {
    applyCluster();
    Position left;
    try (RawStream<GlobalWatchReq> stream = open()) {
      List<OpItem> first = stream.ask(OWN);
      assertThat(lines(first))
          .containsExactly(
              "reset",
              "set GlobalServiceCIDRs |kubernetes||",
              "set GlobalNodeInfos |n1||",
              "set GlobalServiceInfos default|web||",
              "set GlobalSlices default|web-1||",
              "sync");
      left = first.getLast().getChange().getPosition();
    }
    rig.apply(ClusterDelta.builder().removeServiceCidr("kubernetes").removeSlice(name("web-1")));
    try (RawStream<GlobalWatchReq> stream = open()) {
      List<OpItem> missed = stream.ask(OWN.toBuilder().setResume(left).build());
      assertThat(lines(missed))
          .containsExactly(
              "delete GlobalSlices default|web-1||",
              "delete GlobalServiceCIDRs |kubernetes||",
              "sync");
      assertThat(missed.getLast().getChange().getPosition())
          .isEqualTo(left.toBuilder().setRevision(left.getRevision() + 1).build());
    }
  }

  @Test
  void aTransactionThatChangesNothingIsNoRevision() throws Exception {
    applyCluster();
    try (RawStream<GlobalWatchReq> stream = open()) {
      Position first = stream.ask(OWN).getLast().getChange().getPosition();
      stream.send(OWN);
      applyCluster();
      rig.apply(ClusterDelta.builder().removeNode("n1"));
      List<OpItem> next = stream.changeSet();
      assertThat(lines(next)).containsExactly("delete GlobalNodeInfos |n1||", "sync");
      assertThat(next.getLast().getChange().getPosition().getRevision())
          .isEqualTo(first.getRevision() + 1);
    }
  }

  @Test
  void theOlderNameIsServedTheSame() throws Exception {
    applyCluster();
    List<MethodDescriptor<GlobalWatchReq, OpItem>> names =
        List.of(Methods.GLOBAL_WATCH, Methods.GLOBAL_WATCH_BEFORE);
    for (MethodDescriptor<GlobalWatchReq, OpItem> method : names) {
      try (RawStream<GlobalWatchReq> stream = RawStream.open(rig.channel(), method)) {
        assertThat(stream.ask(KPNG)).hasSize(6);
      }
    }
  }

  @Test
  void setsOfANodeAreNotHere() throws Exception {
    try (RawStream<GlobalWatchReq> stream = open()) {
      stream.send(GlobalWatchReq.newBuilder().addSets(Set.ServicesSet).build());
      assertThat(stream.end().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
  }
}
