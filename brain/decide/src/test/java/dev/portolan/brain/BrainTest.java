package dev.portolan.brain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.core.node.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BrainTest {
  private static final NamespacedName WEB = new NamespacedName("shop", "web");

  private final List<Warning> warnings = new ArrayList<>();
  private final Brain brain = new Brain(warnings::add);

  private static Service web(String... externalIps) {
    return Service.named("shop", "web")
        .clusterIps(List.of("10.96.0.20"))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
        .externalIps(List.of(externalIps))
        .build();
  }

  private static EndpointSlice slice(Instant trigger, String... addresses) {
    return slice("web-1", trigger, addresses);
  }

  private static EndpointSlice slice(String name, Instant trigger, String... addresses) {
    return new EndpointSlice(
        new NamespacedName("shop", name),
        "web",
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        Arrays.stream(addresses)
            .map(address ->
                new EndpointSlice.Member(
                    List.of(address), Conditions.READY, "n1", "", List.of(), List.of(), ""))
            .toList(),
        false,
        trigger);
  }

  @Test
  void nothingIsKnownBeforeTheFirstTransactionAndAnEmptyClusterIsKnownAfterIt() {
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    assertThat(view.image().isSynced()).isFalse();
    brain.apply(ClusterDelta.EMPTY);
    assertThat(view.image().revision()).isEqualTo(1);
    assertThat(brain.open("n2", NodeSettings.DEFAULT).image().revision()).isEqualTo(1);
  }

  @Test
  void whatFailedIsDecidedWhenItIsHandedOverAgain() {
    AtomicBoolean fails = new AtomicBoolean();
    Brain brain =
        new Brain(warning -> {
          if (fails.getAndSet(false)) {
            throw new IllegalStateException("a test");
          }
        });
    brain.apply(ClusterDelta.EMPTY);
    fails.set(true);
    ClusterImage cluster =
        ClusterDelta.builder().set(web("nonsense")).build().applyTo(ClusterImage.EMPTY);
    assertThatThrownBy(() -> brain.apply(cluster)).hasMessage("a test");
    assertThat(brain.cluster()).isEqualTo(ClusterImage.EMPTY);
    brain.apply(cluster);
    assertThat(brain.cluster()).isEqualTo(cluster);
  }

  @Test
  void whoFollowsTheClusterIsToldOfEachTransaction() {
    List<Integer> seen = new ArrayList<>();
    brain.onChange(() -> {
      assertThat(brain.isSynced()).isTrue();
      seen.add(brain.cluster().services().size());
    });
    assertThat(brain.isSynced()).isFalse();
    brain.apply(ClusterDelta.EMPTY);
    brain.apply(ClusterDelta.builder().set(web()).build());
    brain.apply(ClusterDelta.builder().removeService(WEB).build());
    assertThat(seen).containsExactly(0, 1, 0);
  }

  @Test
  void triggerTimesTravelBesideTheImageHoweverManyImagesAReaderSkips() {
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    brain.apply(
        ClusterDelta.builder().set(web()).set(slice(Instant.ofEpochSecond(1), "10.0.0.1")).build());
    NodeSnapshot first = view.newest();
    for (int second = 2; second <= 4; second++) {
      brain.apply(
          ClusterDelta.builder()
              .set(slice(Instant.ofEpochSecond(second), "10.0.0." + second))
              .build());
    }
    assertThat(NodeChange.between(first, view.newest()).triggers())
        .containsExactly(
            new Trigger(WEB, Instant.ofEpochSecond(2)),
            new Trigger(WEB, Instant.ofEpochSecond(3)),
            new Trigger(WEB, Instant.ofEpochSecond(4)));
    assertThat(NodeChange.between(NodeSnapshot.unsynced("n1"), view.newest()).triggers()).isEmpty();
  }

  @Test
  void aReaderThatStoppedReadingHoldsNoTriggers() {
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    brain.apply(ClusterDelta.builder().set(web()).build());
    NodeSnapshot first = view.newest();
    for (int i = 0; i < 10_100; i++) {
      brain.apply(
          ClusterDelta.builder()
              .set(slice(Instant.ofEpochSecond(i), "10.0.0." + (1 + i % 2)))
              .build());
    }
    assertThat(NodeChange.between(first, view.newest()).triggers()).isEmpty();
  }

  @Test
  void aWarningIsSaidOnceAndAgainOnlyAfterItWasGone() {
    brain.apply(ClusterDelta.builder().set(web("nonsense")).build());
    brain.apply(ClusterDelta.builder().set(slice(null, "10.0.0.1")).build());
    assertThat(warnings)
        .map(Objects::toString)
        .containsExactly(
            "Service shop/web: spec.externalIPs[0]: 'nonsense' is not an IP address; ignored");
    brain.apply(ClusterDelta.builder().set(web()).build());
    brain.apply(ClusterDelta.builder().set(web("nonsense")).build());
    assertThat(warnings).hasSize(2);
  }

  @Test
  void oneObjectCannotFloodTheLog() {
    String[] bad = IntStream.range(0, 50_000).mapToObj(i -> "bad" + i).toArray(String[]::new);
    brain.apply(ClusterDelta.builder().set(web()).set(slice(null, bad)).build());
    assertThat(warnings).hasSize(21);
    assertThat(warnings.getLast().text()).isEqualTo("and 49980 more like these");
  }

  @Test
  void manyViewsShareOneWarningAboutTheCluster() {
    IntStream.range(0, 10).forEach(i -> brain.open("n" + i, NodeSettings.DEFAULT));
    brain.apply(
        ClusterDelta.builder().set(new ServiceCidr("kubernetes", List.of("10.96/12"))).build());
    assertThat(warnings)
        .map(Objects::toString)
        .containsExactly(
            "ServiceCIDR kubernetes: spec.cidrs[0]: '10.96/12' is not a CIDR such as 10.0.0.0/8;"
                + " ignored");
  }

  @Test
  void nodesThatSeeTheSameShareTheSameObjects() {
    NodeView one = brain.open("n1", NodeSettings.DEFAULT);
    NodeView two = brain.open("n2", NodeSettings.DEFAULT);
    brain.apply(ClusterDelta.builder().set(web()).set(slice(null, "10.0.0.1", "10.0.0.2")).build());
    assertThat(one.image().service(WEB)).isSameAs(two.image().service(WEB));
    assertThat(one.image().services().base().isIdenticalTo(two.image().services().base())).isTrue();
    assertThat(one.image().services().node().isEmpty()).isTrue();
  }

  @Test
  void endpointsOfSlicesThatStayAreTheSameObjects() {
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    brain.apply(
        ClusterDelta.builder()
            .set(web())
            .set(slice("web-1", null, "10.0.0.1", "10.0.0.3"))
            .set(slice("web-2", null, "10.0.0.4", "10.0.0.2"))
            .build());
    List<Endpoint> before = endpoints(view);
    brain.apply(ClusterDelta.builder().set(slice("web-1", null, "10.0.0.5", "10.0.0.3")).build());
    List<Endpoint> after = endpoints(view);
    assertThat(before)
        .map(Endpoint::toString)
        .containsExactly("10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080", "10.0.0.4:8080");
    assertThat(after)
        .map(Endpoint::toString)
        .containsExactly("10.0.0.2:8080", "10.0.0.3:8080", "10.0.0.4:8080", "10.0.0.5:8080");
    assertThat(after.get(0)).isSameAs(before.get(1));
    assertThat(after.get(2)).isSameAs(before.get(3));
  }

  private static List<Endpoint> endpoints(NodeView view) {
    return view.image().service(WEB).ports().getFirst().cluster();
  }

  @Test
  void aClosedViewKeepsItsLastImage() {
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    brain.apply(ClusterDelta.builder().set(web()).build());
    view.close();
    view.close();
    brain.apply(ClusterDelta.builder().removeService(WEB).build());
    assertThat(view.image().service(WEB)).isNotNull();
  }

  @Test
  void anImageIsEqualByItsContent() {
    NodeView plain = brain.open("n1", NodeSettings.DEFAULT);
    brain.apply(ClusterDelta.builder().set(web()).set(slice(null, "10.0.0.1")).build());
    NodeImage image = plain.image();
    NodeImage flat = NodeImage.of(1, image.facts(), image.services().flat());
    assertThat(flat).isEqualTo(image).hasSameHashCodeAs(image);
    brain.apply(ClusterDelta.builder().removeService(WEB).build());
    assertThat(plain.image()).isNotEqualTo(image);
    assertThat(plain.image().services()).isEqualTo(NodeServices.EMPTY);
  }

  @Test
  void anImageThatEqualsTheOneBeforeIsNoChange() {
    assertThat(brain.apply(ClusterDelta.builder().set(web()).build()).services())
        .containsExactly(WEB);
    long revision = brain.decision().revision();
    assertThat(brain.apply(brain.cluster()).isEmpty()).isTrue();
    assertThat(brain.apply(ClusterDelta.builder().set(web()).build()).isEmpty()).isTrue();
    assertThat(brain.decision().revision()).isEqualTo(revision);
  }

  @Test
  void externalIpsAreServedOnlyWhereAllowed() {
    Brain strict = new Brain(new BrainSettings(false, false), warnings::add);
    NodeView view = strict.open("n1", NodeSettings.DEFAULT);
    strict.apply(ClusterDelta.builder().set(web("192.0.2.1")).set(slice(null, "10.1.0.1")).build());
    NodeView usual = brain.open("n1", NodeSettings.DEFAULT);
    brain.apply(ClusterDelta.builder().set(web()).set(slice(null, "10.1.0.1")).build());
    assertThat(view.image().service(WEB)).isEqualTo(usual.image().service(WEB));
    assertThat(strict.cluster().services().get(WEB)).isEqualTo(web("192.0.2.1"));
  }

  @Test
  void aDeletedNodeIsKeptForAsLongAsItIsLookedAt() {
    Node node = new Node("n1", List.of("172.18.0.2"), List.of(), "za", List.of(), false);
    Brain keeping = new Brain(new BrainSettings(true, true), warnings::add);
    NodeView one = keeping.open("n1", NodeSettings.DEFAULT);
    keeping.apply(ClusterImage.EMPTY.with(node));
    keeping.apply(ClusterImage.EMPTY);
    assertThat(one.image().facts().zone()).isEqualTo("za");
    assertThat(one.image().facts().eligible()).isFalse();

    NodeView two = keeping.open("n1", NodeSettings.DEFAULT);
    one.close();
    assertThat(two.image().facts()).isEqualTo(one.image().facts());
    two.close();
    assertThat(keeping.open("n1", NodeSettings.DEFAULT).image().facts().known()).isFalse();
  }
}
