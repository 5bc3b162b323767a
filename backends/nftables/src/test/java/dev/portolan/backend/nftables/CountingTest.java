package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.nftables.table.TableText;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Small;
import dev.portolan.packets.Trial;
import dev.portolan.packets.Vigil;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel counts for services, and that nothing else is different while it does. */
@NeedsKernel(tools = {"ip", "nft"})
class CountingTest {
  private static final NftablesOptions PLAIN = NftablesOptions.DEFAULT;
  private static final NftablesOptions COUNTING = PLAIN.counting(true);

  private final AtomicBoolean on = new AtomicBoolean(true);
  private Lab lab;
  private NodeUnderTest node;

  @BeforeEach
  void build() {
    lab = Lab.open();
    node =
        new NodeUnderTest(
            lab.node(),
            () -> new NftablesBackend(on.get() ? COUNTING : PLAIN),
            NodeSettings.DEFAULT);
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
  }

  @AfterEach
  void tearDown() {
    node.close();
    lab.close();
  }

  @Test
  void eachConnectionCountsOnceForItsService() {
    node.apply(ClusterDelta.builder().set(Small.service()).set(Small.slice(3)).build());
    for (int i = 0; i < 7; i++) {
      assertThat(ask(Small.ADDRESS)).isInstanceOf(Reply.Answered.class);
    }
    assertThat(count("traffic/test:http", Kind.CONNECTIONS)).isEqualTo(7);
    assertThat(count("traffic/test:http", Kind.REFUSED)).isZero();

    node.apply(ClusterDelta.builder().set(Small.slice(0)).build());
    for (int i = 0; i < 3; i++) {
      assertThat(ask(Small.ADDRESS)).isInstanceOf(Reply.Rejected.class);
    }
    assertThat(count("traffic/test:http", Kind.REFUSED)).isEqualTo(3);
    assertThat(count("traffic/test:http", Kind.CONNECTIONS)).isZero();
  }

  @Test
  void droppedPacketsCountForTheServiceThatDropsThem() {
    Reply reply = lab.probe(Actor.POD_A3).ask(Protocol.TCP, Ip.of("10.96.0.43"), 80, Probe.SHORT);
    assertThat(reply).isNotInstanceOf(Reply.Answered.class);
    List<TrafficCount> dropped =
        counts().stream().filter(each -> each.kind() == Kind.DROPPED && each.count() > 0).toList();
    assertThat(dropped).hasSize(1);
    assertThat(dropped.getFirst().port().protocol()).isEqualTo(Protocol.TCP);
  }

  @Test
  void nothingIsCountedUnlessAskedFor() {
    on.set(false);
    node.restart();
    lab.node().run(() -> node.backend().tidy());
    assertThat(ask(Ip.of("10.96.0.20"))).isInstanceOf(Reply.Answered.class);
    assertThat(counts()).isEmpty();
    assertThat(lab.node().exec("nft", "list", "ruleset")).doesNotContain("counter");
  }

  @Test
  void countingIsSwitchedOnAndOffUnderConnectionsAndNoneIsLost() throws InterruptedException {
    try (Vigil vigil = Vigil.over(lab, Vigil.usual())) {
      for (int i = 0; i < 20; i++) {
        on.set(!on.get());
        node.restart();
        long seen = vigil.probes();
        Await.until("20 connections", () -> vigil.probes() >= seen + 20);
        // What the other way of counting left goes while connections are opened, too.
        lab.node().run(() -> node.backend().tidy());
        String sets = lab.node().exec("nft", "list", "ruleset");
        assertThat(sets.contains("map service-ips-counted")).isEqualTo(on.get());
        assertThat(sets.contains("map service-ips {")).isEqualTo(!on.get());
      }
      assertThat(vigil.failures()).isEmpty();
      assertThat(vigil.probes()).isGreaterThan(300);
    }
    Audit audit = lab.node().call(() -> node.backend().audit(node.image()));
    assertThat(audit).isEqualTo(Audit.CLEAN);
  }

  @Test
  void packetsGoWhereTheyGoWithoutCounting() {
    node.close();
    for (PacketTable table : PacketTable.all()) {
      if (table.name().equals("both-policies")) {
        Trial.run(table, new LabJudge(lab, () -> new NftablesBackend(COUNTING))).orThrow();
      }
    }
    node = new NodeUnderTest(lab.node(), () -> new NftablesBackend(PLAIN), NodeSettings.DEFAULT);
  }

  @Test
  void theKernelHasWhatIsPrinted() {
    String there = lab.node().exec("nft", "list", "ruleset");
    StringBuilder text = new StringBuilder();
    for (IpFamily family : IpFamily.values()) {
      TableText.print(
          NftablesBackend.render(node.image(), family, COUNTING), COUNTING.table(), text);
    }
    lab.node().exec("nft", "flush", "ruleset");
    lab.node().execWith(text.toString(), "nft", "-f", "-");
    assertThat(lab.node().exec("nft", "list", "ruleset")).isEqualTo(there);
    lab.node().exec("nft", "flush", "ruleset");
    lab.node().execWith(there, "nft", "-f", "-");
    assertThat(lab.node().exec("nft", "list", "ruleset")).isEqualTo(there);
  }

  private Reply ask(Ip address) {
    return lab.probe(Actor.POD_A3).ask(Protocol.TCP, address, 80);
  }

  private List<TrafficCount> counts() {
    return lab.node().call(() -> node.backend().traffic());
  }

  private long count(String port, Kind kind) {
    return counts().stream()
        .filter(each -> each.port().toString().equals(port) && each.kind() == kind)
        .mapToLong(TrafficCount::count)
        .sum();
  }
}
