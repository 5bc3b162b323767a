package dev.portolan.source.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.source.kube.wire.JsonFormat;
import dev.portolan.source.kube.wire.ProtobufFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a source hands over while all goes well. */
class KubeSourceTest {
  private static final NamespacedName WEB = new NamespacedName("shop", "web");

  @AutoClose
  private final FakeApiServer server =
      FakeApiServer.start()
          .put(Samples.service("web", 1))
          .put(Samples.slice("web", "10.1.0.4", "10.1.0.5"))
          .put(Samples.node("n1", "192.168.0.1"))
          .put(Samples.node("n2", "192.168.0.2"))
          .put(new ServiceCidr("kubernetes", List.of("10.96.0.0/16")));

  @Test
  void theFirstTransactionIsTheWholeCluster() {
    try (Follower follower = Follower.of(server).settle()) {
      assertThat(follower.transactions()).hasSize(1);
      assertThat(server.requests().stream().filter(it -> it.startsWith("list services")))
          .as("the server's version, and a list that is not older")
          .satisfiesExactly(
              version -> assertThat(version).contains("limit=1"),
              list ->
                  assertThat(list)
                      .contains("resourceVersion=" + server.version())
                      .contains("resourceVersionMatch=NotOlderThan"));
    }
  }

  @Test
  void anEmptyClusterIsHandedOverToo() {
    try (FakeApiServer empty = FakeApiServer.start();
        Follower follower = Follower.of(empty)) {
      follower.await("a transaction", () -> !follower.transactions().isEmpty());
      assertThat(follower.transactions()).containsExactly(ClusterDelta.EMPTY);
    }
  }

  @Test
  void nothingIsHandedOverBeforeEveryResourceIsKnown() {
    for (int i = 0; i < 3; i++) {
      server.refuseList("servicecidrs", 500, 0);
    }
    try (Follower follower = Follower.of(server)) {
      follower.await(
          "the others are known",
          () -> follower.state("services").synced() || !follower.transactions().isEmpty());
      server.put(Samples.service("api", 2));
      follower.settle();
      assertThat(follower.transactions().getFirst().serviceCidrs()).hasSize(1);
      assertThat(follower.transactions().getFirst().services()).containsKey(WEB);
    }
  }

  @Test
  void eachChangeIsATransaction() {
    try (Follower follower = Follower.of(server).settle()) {
      server.put(Samples.service("api", 2));
      follower.settle();
      server.put(Samples.slice("web", "10.1.0.4"));
      follower.settle();
      server.delete(ObjectRef.service(WEB));
      follower.settle();
      server.put(new ServiceCidr("more", List.of("10.97.0.0/16")));
      follower.settle();
      assertThat(follower.transactions()).hasSize(5);
      assertThat(follower.transactions().get(3).services())
          .isEqualTo(Map.of(WEB, Optional.<Service>empty()));
    }
  }

  @Test
  void jsonGivesTheSame() {
    try (Follower follower =
        Follower.of(server, Follower.options(JsonFormat.TYPE, Follower.FAST)).settle()) {
      server.put(Samples.service("api", 2)).delete(ObjectRef.service(WEB));
      follower.settle();
    }
  }

  @Test
  void aServerThatSpeaksOnlyJsonIsUnderstood() {
    server.speakOnlyJson();
    try (Follower follower = Follower.of(server).settle()) {
      server.put(Samples.service("api", 2)).delete(ObjectRef.service(WEB));
      follower.settle();
    }
  }

  @Test
  void whatIsNotForThisProxyIsNotRead() {
    try (Follower follower = Follower.of(server).settle()) {
      server.put(Service.named("shop", "headless").clusterIps(List.of("None")).build());
      server.put(Service.named("shop", "web").proxyName(Optional.of("other")).build());
      follower.settle();
      assertThat(follower.image().services().isEmpty()).isTrue();
    }
  }

  @Test
  void whoLooksAtTheClusterReadsWhatIsNotForThisProxyToo() {
    server.put(Service.named("shop", "headless").clusterIps(List.of("None")).build());
    server.put(Service.named("shop", "mesh").proxyName(Optional.of("mesh")).build());
    EndpointSlice slice =
        new EndpointSlice(
            new NamespacedName("shop", "headless-1"),
            "headless",
            AddressType.IPV4,
            List.of(),
            List.of(),
            true,
            null);
    server.put(slice);
    KubeSource.Options options =
        Follower.options(ProtobufFormat.TYPE, Timing.DEFAULT).withEverything();
    try (Follower follower = Follower.of(server, options)) {
      follower.await("it is read", () -> !follower.image().services().isEmpty());
      assertThat(follower.image().services())
          .extracting(entry -> entry.getKey().name())
          .containsExactly("headless", "mesh", "web");
      assertThat(follower.image().slices().get(slice.name())).isEqualTo(slice);
    }
  }

  @Test
  void anotherProxyReadsWhatIsLabelledForIt() {
    server.put(Service.named("shop", "plain").build());
    server.put(Service.named("shop", "web").proxyName(Optional.of("other")).build());
    server.put(Service.named("shop", "mesh").proxyName(Optional.of("mesh")).build());
    KubeSource.Options options =
        Follower.options(ProtobufFormat.TYPE, Timing.DEFAULT)
            .withServiceProxyName(Optional.of("mesh"));
    try (Follower follower = Follower.of(server, options)) {
      follower.await("it is read", () -> !follower.image().services().isEmpty());
      assertThat(follower.image().services().size()).isEqualTo(1);
      assertThat(follower.image().services().get(new NamespacedName("shop", "mesh"))).isNotNull();
    }
  }

  @Test
  void labelsAreKeptWhereTheyAreWanted() {
    Map<String, String> read =
        ServiceAnnotation.keys().stream().collect(Collectors.toMap(key -> key, _ -> "true"));
    ServiceMetadata written = ServiceMetadata.of(Map.of("team", "shop"), read);
    server.put(Service.named("shop", "web").metadata(written).build());
    for (String format : List.of(ProtobufFormat.TYPE, JsonFormat.TYPE)) {
      for (boolean wanted : List.of(true, false)) {
        KubeSource.Options options = Follower.options(format, Timing.DEFAULT).withMetadata(wanted);
        try (Follower follower = Follower.of(server, options)) {
          follower.await("it is read", () -> !follower.image().services().isEmpty());
          assertThat(follower.image().services().get(new NamespacedName("shop", "web")))
              .as("%s %s; what the brain reads is kept in any case", format, wanted)
              .satisfies(service -> {
                ServiceMetadata kept = service.metadata();
                assertThat(kept.labels().get("team")).isEqualTo(wanted ? "shop" : null);
                assertThat(kept.annotations()).containsAllEntriesOf(read);
                assertThat(kept.ours()).isEqualTo(new ServiceMetadata(Map.of(), read));
              });
        }
      }
    }
  }

  @Test
  void ofTheNodesOnlyTheOwnOneIsRead() {
    try (Follower follower = Follower.of(server, "n2").settle()) {
      server.put(Samples.node("n1", "192.168.0.7")).put(Samples.node("n2", "192.168.0.8"));
      follower.settle();
      assertThat(follower.image().nodes().size()).isEqualTo(1);
      assertThat(follower.transactions()).hasSize(2);
    }
  }

  @Test
  void whatDoesNotMatterIsNoTransaction() {
    try (Follower follower = Follower.of(server).watching()) {
      server.put(Samples.service("web", 1));
      String version = Long.toString(server.version());
      follower.await(
          "the new version is known",
          () -> follower.state("services").resourceVersion().equals(version));
      assertThat(follower.transactions()).hasSize(1);
    }
  }

  @Test
  void bookmarksMoveTheVersion() {
    try (Follower follower = Follower.of(server).watching()) {
      server.put(Samples.service("api", 2));
      server.bookmark();
      String version = Long.toString(server.version());
      follower.await(
          "every version moved",
          () ->
              List.of("services", "endpointslices", "nodes", "servicecidrs").stream()
                  .allMatch(it -> follower.state(it).resourceVersion().equals(version)));
    }
  }

  @Test
  void anOlderServerHasNoServiceCidrs() {
    server.haveServiceCidrs(false);
    try (Follower follower = Follower.of(server).settle()) {
      assertThat(follower.image().serviceCidrs().isEmpty()).isTrue();
      follower.await("a sentence", () -> !follower.reports().isEmpty());
      server.haveServiceCidrs(true);
      follower.settle();
      assertThat(follower.image().serviceCidrs().size()).isEqualTo(1);
      assertThat(follower.reports())
          .containsExactly(
              server.address()
                  + " has no servicecidrs: it is an older version of Kubernetes; going on without"
                  + " them");
    }
  }

  @Test
  void theStateTellsHowItStands() {
    try (Follower follower = Follower.of(server).watching()) {
      ResourceState state = follower.state("services");
      assertThat(state.synced()).isTrue();
      assertThat(state.age()).isPresent();
      assertThat(state.lists()).isEqualTo(1);
      assertThat(state.watches()).isEqualTo(1);
      assertThat(state.errors()).isZero();
      assertThat(state.lastError()).isEmpty();
    }
  }

  @Test
  void theStateIsKnownBeforeTheStart() {
    server.stop();
    try (Follower follower = Follower.of(server)) {
      follower.await("a failure", () -> follower.state("services").errors() > 0);
      assertThat(follower.state("services").synced()).isFalse();
      assertThat(follower.state("services").age()).isEmpty();
      assertThat(follower.image()).isEqualTo(ClusterImage.EMPTY);
    }
  }

  @Test
  void aQuietServerIsToldApartFromOneThatIsAway() {
    try (Follower follower = Follower.of(server).watching()) {
      assertThat(follower.silence()).isZero();
      server.stop();
      follower.await("silence", () -> follower.silence().toMillis() > 100);
      server.startAgain();
      follower.await("a sign of life", () -> follower.silence().isZero());
    }
  }
}
