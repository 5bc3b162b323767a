package dev.portolan.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.daemon.NeedsPeers;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Namespace;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Vigil;
import dev.portolan.testbase.Await;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.SharedControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node moves from the real kube-proxy to us, with connections open, and can move back. */
@NeedsPeers(tools = {"iptables-nft", "iptables-legacy"})
class TakeoverFromKubeProxyTest {
  private static final String THEIRS = "table ip kube-proxy";
  private static final String THEIRS_V6 = "table ip6 kube-proxy";
  private static final String OURS = "table ip portolan";
  private static final String OURS_V6 = "table ip6 portolan";
  private static final String FOREIGN =
      """
      table inet foreign {
      	chain forward {
      		type filter hook forward priority filter; policy accept;
      		iifname "nowhere" drop
      	}
      }
      """;

  private static ControlPlane plane;
  private static Markers markers;

  @TempDir Path folder;
  private Path programs;
  private ConnectedLab lab;

  @BeforeAll
  static void startServer() {
    plane = SharedControlPlane.empty();
    ApiWriter api = new ApiWriter(plane);
    api.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
    markers = new Markers(api);
  }

  @BeforeEach
  void open() throws IOException {
    programs = Files.createDirectory(folder.resolve("programs"));
    lab = new ConnectedLab(plane);
    lab.node().execWith(FOREIGN, "nft", "-f", "-");
  }

  @AfterEach
  void close() throws Exception {
    Closing.all(lab);
  }

  /** Looks at the rules of one kind. */
  private interface Look {
    List<String> at(Namespace node);
  }

  @Test
  void itTakesOverFromModeNftablesAndCanGoBack() throws IOException {
    takeOver(
        "nftables",
        node -> lab.tables().stream().filter(table -> table.contains("kube-proxy")).toList(),
        node -> List.of());
    assertThat(lab.tables()).contains(OURS, OURS_V6);
    cleanUp();
    try (NodeProcess again = lab.kubeProxy(folder, programs, "nftables")) {
      lab.awaitService(again);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nft", "legacy"})
  void itTakesOverFromModeIptables(String variant) throws IOException {
    IptablesVariant iptables = IptablesVariant.in(programs, variant);
    iptables.writeForeignRules(lab.node());
    takeOver("iptables", iptables::proxyRules, iptables::foreignRules);
    List<String> foreign = iptables.foreignRules(lab.node());
    assertThat(foreign).contains("-A FOREIGN -j MASQUERADE", "-A INPUT -j KUBE-FIREWALL");
    cleanUp();
    assertThat(iptables.foreignRules(lab.node())).isEqualTo(foreign);
  }

  @Test
  void itLeavesTheLeftoversWhenTold() throws IOException {
    try (NodeProcess before = lab.kubeProxy(folder, programs, "nftables")) {
      lab.awaitService(before);
    }
    try (NodeProcess after = lab.portolan(folder, "--keep-leftovers")) {
      // Only we can serve what was written after kube-proxy stopped.
      lab.awaitAnswers(after, markers.next());
      assertThat(after.stop()).as(after.log()).isZero();
    }
    assertThat(lab.tables()).contains(THEIRS, THEIRS_V6, OURS, OURS_V6);
    cleanUp();
  }

  /** Lets kube-proxy serve, stops it, and lets us take its place while connections are open. */
  private void takeOver(String mode, Look theirs, Look foreign) throws IOException {
    try (NodeProcess before = lab.kubeProxy(folder, programs, mode)) {
      lab.awaitService(before);
      assertThat(theirs.at(lab.node())).isNotEmpty();
      Vigil vigil = Vigil.over(lab.lab(), Vigil.usual());
      try (vigil;
          LongConnections connections = new LongConnections(lab.lab())) {
        assertThat(connections.failures()).isEmpty();
        int _ = before.stop();
        List<String> others = foreign.at(lab.node());
        assertThat(connections.failures()).isEmpty();
        follow(connections, theirs);
        assertThat(foreign.at(lab.node())).isEqualTo(others);
        long seen = vigil.probes();
        Await.until("more probes", () -> vigil.probes() > seen + 100);
      }
      assertThat(vigil.failures()).isEmpty();
    }
    assertForeignTableIsUntouched();
  }

  /** Starts where kube-proxy ended, serves, and stops. */
  private void follow(LongConnections connections, Look theirs) throws IOException {
    try (NodeProcess after = lab.portolan(folder)) {
      after.await("what kube-proxy left is gone", () -> theirs.at(lab.node()).isEmpty());
      assertThat(connections.failures()).isEmpty();
      lab.awaitAnswers(after, markers.next());
      assertThat(after.stop()).as(after.log()).isZero();
    }
    assertThat(connections.failures()).isEmpty();
  }

  /** Removes everything of ours and of kube-proxy's, and nothing else. */
  private void cleanUp() throws IOException {
    try (NodeProcess cleanup = lab.portolan(folder, "--cleanup")) {
      assertThat(cleanup.exitStatus()).as(cleanup.log()).isZero();
    }
    assertThat(lab.tables()).doesNotContain(OURS, OURS_V6, THEIRS, THEIRS_V6);
    assertForeignTableIsUntouched();
  }

  private void assertForeignTableIsUntouched() {
    assertThat(lab.node().exec("nft", "list", "table", "inet", "foreign")).isEqualTo(FOREIGN);
  }
}
