package dev.portolan.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.daemon.NeedsPeers;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
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

/**
 * The daemon in modes iptables and userspace: modes change, and kube-proxy's place is taken, under
 * traffic.
 */
@NeedsPeers(tools = "iptables-nft")
class ModeIptablesTest {
  private static final String IPTABLES = "--proxy-mode=iptables";
  private static final String OURS = "table ip portolan";
  private static final String OURS_V6 = "table ip6 portolan";

  private static ControlPlane plane;
  private static Markers markers;

  @TempDir Path folder;
  private IptablesVariant iptables;
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
    Path programs = Files.createDirectory(folder.resolve("programs"));
    iptables = IptablesVariant.in(programs, "nft");
    lab = new ConnectedLab(plane);
    iptables.writeForeignRules(lab.node());
  }

  @AfterEach
  void close() throws Exception {
    Closing.all(lab);
  }

  private interface Steps {
    void run(LongConnections connections) throws IOException;
  }

  /** Does something while connections are open and new ones are made continuously. */
  private void underTraffic(Steps steps) throws IOException {
    List<String> foreign = iptables.foreignRules(lab.node());
    Vigil vigil = Vigil.over(lab.lab(), Vigil.usual());
    try (vigil;
        LongConnections connections = new LongConnections(lab.lab())) {
      steps.run(connections);
      assertThat(connections.failures()).isEmpty();
      long seen = vigil.probes();
      Await.until("more probes", () -> vigil.probes() > seen + 100);
    }
    assertThat(vigil.failures()).isEmpty();
    // The guard of nodePorts on localhost, if anything, comes on top.
    assertThat(iptables.foreignRules(lab.node())).containsSubsequence(foreign);
  }

  @Test
  void modesChangeWithTheNewRulesInBeforeTheOldOnesGo() throws IOException {
    try (NodeProcess first = lab.portolan(folder)) {
      lab.awaitService(first);
      underTraffic(connections -> {
        int _ = first.stop();
        try (NodeProcess second = lab.portolan(folder, IPTABLES)) {
          second.await("our tables are gone", () -> !lab.tables().contains(OURS));
          assertThat(lab.tables()).doesNotContain(OURS_V6);
          assertThat(iptables.proxyRules(lab.node())).isNotEmpty();
          assertThat(connections.failures()).isEmpty();
          lab.awaitAnswers(second, markers.next());
          assertThat(second.stop()).as(second.log()).isZero();
        }
        try (NodeProcess third = lab.portolan(folder)) {
          third.await("the chains are gone", () -> iptables.proxyRules(lab.node()).isEmpty());
          assertThat(connections.failures()).isEmpty();
          lab.awaitAnswers(third, markers.next());
          assertThat(third.stop()).as(third.log()).isZero();
        }
      });
    }
    assertThat(lab.tables()).contains(OURS, OURS_V6);
  }

  /** The tables are the same ones; what passes through the process in between ends with it. */
  @Test
  void modeUserspaceTakesTheTablesOverAndGivesThemBack() throws IOException {
    try (NodeProcess first = lab.portolan(folder)) {
      lab.awaitService(first);
      try (LongConnections connections = new LongConnections(lab.lab())) {
        int _ = first.stop();
        try (NodeProcess second = lab.portolan(folder, "--proxy-mode=userspace", "--access-log")) {
          lab.awaitAnswers(second, markers.next());
          second.await("the access log", () -> second.log().contains(" end=closed"));
          assertThat(connections.failures()).isEmpty();
          assertThat(second.stop()).as(second.log()).isZero();
        }
        try (NodeProcess third = lab.portolan(folder)) {
          lab.awaitService(third);
          assertThat(connections.failures()).isEmpty();
          assertThat(third.stop()).as(third.log()).isZero();
        }
      }
    }
    assertThat(lab.tables()).contains(OURS, OURS_V6);
  }

  @Test
  void itTakesOverInPlaceFromKubeProxyAndCleansUp() throws IOException {
    Path programs = folder.resolve("programs");
    try (NodeProcess before = lab.kubeProxy(folder, programs, "iptables")) {
      lab.awaitService(before);
      underTraffic(connections -> {
        int _ = before.stop();
        try (NodeProcess after = lab.portolan(folder, IPTABLES)) {
          lab.awaitAnswers(after, markers.next());
          assertThat(connections.failures()).isEmpty();
          assertThat(after.stop()).as(after.log()).isZero();
        }
      });
    }
    try (NodeProcess cleanup = lab.portolan(folder, IPTABLES, "--cleanup")) {
      assertThat(cleanup.exitStatus()).as(cleanup.log()).isZero();
    }
    assertThat(iptables.proxyRules(lab.node())).isEmpty();
  }
}
