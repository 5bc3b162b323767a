package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.DriftListener;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.testkit.lab.Actor;
import dev.portolan.testkit.lab.Lab;
import dev.portolan.testkit.lab.Probe;
import dev.portolan.testkit.lab.Reply;
import dev.portolan.testkit.packets.Churn;
import dev.portolan.testkit.packets.NodeUnderTest;
import dev.portolan.testkit.packets.PacketTable;
import dev.portolan.testkit.packets.Vigil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections through a real kernel while rules change. */
@NeedsKernel(tools = {"ip", "nft"})
class TrafficTest {
  private static final Ip STICKY = Ip.of("10.96.9.9");

  private Lab lab;
  private NodeUnderTest node;

  @BeforeEach
  void build() {
    lab = Lab.open();
    node =
        new NodeUnderTest(
            lab.node(), () -> new NftablesBackend(NftablesOptions.DEFAULT), NodeSettings.DEFAULT);
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
  }

  @AfterEach
  void tearDown() {
    node.close();
    lab.close();
  }

  private NftablesBackend backend() {
    return (NftablesBackend) node.backend();
  }

  private void assertNothingStale() {
    backend().tidy();
    assertThat(backend().audit()).isZero();
  }

  @Test
  void nobodyNoticesAThousandChangesToOthers() {
    Churn.Report report = new Churn(1).run(lab, node, 1_000, step -> {});
    assertThat(report.failures()).isEmpty();
    assertThat(report.probes()).isGreaterThan(100);
    assertNothingStale();
  }

  @Test
  void nobodyNoticesThatTheProcessEndsAtRandomAndStartsAgain() {
    Random random = new Random(7);
    Churn.Report report =
        new Churn(2)
            .run(
                lab,
                node,
                200,
                step -> {
                  if (random.nextInt(5) == 0) {
                    node.restart();
                  }
                });
    assertThat(report.failures()).isEmpty();
    assertNothingStale();
  }

  @Test
  void aFlushedTableIsBackBeforeLong() throws InterruptedException {
    DriftListener listener =
        new DriftListener() {
          @Override
          public void repaired(int objects, String cause) {}

          @Override
          public void notRepaired(BackendException failure) {
            throw failure;
          }
        };
    try (DriftWatch watch =
        lab.node().call(() -> new DriftWatch(backend(), Duration.ofHours(1), listener))) {
      try (Vigil vigil = Vigil.over(lab, Vigil.usual())) {
        for (int i = 1; i <= 5; i++) {
          lab.node().exec("nft", "flush", "ruleset");
          for (int waited = 0; watch.repairs() < i && waited < 1_000; waited++) {
            Thread.sleep(10);
          }
          assertThat(watch.repairs()).isEqualTo(i);
        }
        assertThat(vigil.probes()).isPositive();
      }
      Vigil healed = Vigil.over(lab, Vigil.usual());
      Thread.sleep(500);
      healed.close();
      assertThat(healed.failures()).isEmpty();
      assertThat(healed.probes()).isPositive();
    }
    assertNothingStale();
  }

  @Test
  void endpointsComeAndGoUnderConnectionsAndNoneIsRefused() throws InterruptedException {
    List<Actor> pods = Actor.PODS;
    node.apply(ClusterDelta.builder().set(service(0)).set(slice(pods)).build());
    AtomicBoolean over = new AtomicBoolean();
    List<String> failures = new ArrayList<>();
    int[] connections = {0};
    Thread client =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                connections[0]++;
                Reply reply = lab.probe(Actor.POD_A3).ask(Protocol.TCP, STICKY, 80);
                if (!(reply instanceof Reply.Answered)) {
                  failures.add(reply.toString());
                }
              }
            });
    long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
    for (int i = 0; i < 1_000 || System.nanoTime() < end; i++) {
      int count = 1 + i % pods.size();
      node.apply(ClusterDelta.builder().set(slice(pods.subList(0, count))).build());
    }
    over.set(true);
    client.join();
    assertThat(failures).isEmpty();
    assertThat(connections[0]).isGreaterThan(50);
  }

  @Test
  void aClientSticksUntilTheTimeIsOverOrTheEndpointGoes() throws InterruptedException {
    node.apply(ClusterDelta.builder().set(service(2)).set(slice(Actor.PODS)).build());
    String first = answer();
    for (int i = 0; i < 20; i++) {
      assertThat(answer()).isEqualTo(first);
    }
    List<Actor> others = Actor.PODS.stream().filter(pod -> !pod.toString().equals(first)).toList();
    node.apply(ClusterDelta.builder().set(slice(others)).build());
    String second = answer();
    assertThat(second).isNotEqualTo(first);
    assertThat(answer()).isEqualTo(second);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 8 && seen.size() < 2; i++) {
      Thread.sleep(2_500);
      seen.add(answer());
    }
    assertThat(seen).as("after the time is over, another endpoint is drawn").hasSizeGreaterThan(1);
  }

  @Test
  void anAddressThatTheNodeGetsServesNodePortsAtOnce() {
    NodeSettings everywhere =
        new NodeSettings(
            NodeSettings.LocalMode.NODE_CIDR,
            List.of(),
            "",
            NodePortChoice.parse(List.of("all")),
            NodeSettings.BOTH,
            List.of(),
            false);
    Ip fresh = Ip.of("172.18.0.99");
    try (NodeUnderTest all =
        new NodeUnderTest(
            lab.node(), () -> new NftablesBackend(NftablesOptions.DEFAULT), everywhere)) {
      all.apply(ClusterDelta.builder().set(service(0)).set(slice(Actor.PODS)).build());
      lab.node().exec("ip", "address", "add", "172.18.0.99/32", "dev", "lo");
      assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, fresh, 30_099))
          .isInstanceOf(Reply.Answered.class);
      lab.node().exec("ip", "address", "delete", "172.18.0.99/32", "dev", "lo");
      assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, fresh, 30_099, Probe.SHORT))
          .isNotInstanceOf(Reply.Answered.class);
    }
  }

  private String answer() {
    Reply reply = lab.probe(Actor.POD_A3).ask(Protocol.TCP, STICKY, 80);
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    return ((Reply.Answered) reply).name();
  }

  private static Service service(int affinitySeconds) {
    Service.Builder service =
        Service.named("traffic", "test")
            .clusterIps(List.of(STICKY.toString()))
            .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 30_099)));
    if (affinitySeconds > 0) {
      service.affinitySeconds(affinitySeconds);
    }
    return service.build();
  }

  private static EndpointSlice slice(List<Actor> pods) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (Actor pod : pods) {
      members.add(
          new EndpointSlice.Member(
              List.of(pod.address(IpFamily.IPV4).toString()),
              Conditions.READY,
              Actor.PODS_A.contains(pod) ? Actor.NODE_NAME : Actor.OTHER_NODE_NAME,
              "",
              List.of(),
              List.of(),
              ""));
    }
    return new EndpointSlice(
        new NamespacedName("traffic", "test-1"),
        "test",
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        members,
        false,
        null);
  }
}
