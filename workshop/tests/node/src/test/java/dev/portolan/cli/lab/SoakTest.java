package dev.portolan.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.daemon.NeedsPeers;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.packets.Churn;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Vigil;
import dev.portolan.testbase.AtNight;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.SharedControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random changes through a real API server while traffic flows, with all that can happen to a node
 * in between. {@code ./dev soak MINUTES} lets it run longer than a minute.
 */
@AtNight
@NeedsPeers
class SoakTest {
  private static final long MINUTES = Long.getLong("portolan.soak.minutes", 1);
  private static final long SEED = Long.getLong("portolan.soak.seed", 5);

  /** How many kinds of events there are; each happens at least once. */
  private static final int EVENTS = 5;

  /** How many changes lie between two events. */
  private static final int CHANGES = 60;

  @TempDir Path folder;
  private final Churn churn = new Churn(SEED);
  private ControlPlane plane;
  private ConnectedLab lab;
  private ApiWriter api;
  private Markers markers;
  private NodeProcess node;
  private LongConnections connections;
  private Vigil vigil;
  private long probes;

  @BeforeEach
  void start() throws IOException {
    plane = SharedControlPlane.empty();
    lab = new ConnectedLab(plane);
    api = new ApiWriter(plane);
    markers = new Markers(api);
    api.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
    node = lab.portolan(folder);
    lab.awaitService(node);
    connections = new LongConnections(lab.lab());
    vigil = Vigil.over(lab.lab(), Vigil.usual());
  }

  @AfterEach
  void end() throws Exception {
    Closing.all(vigil, connections, node, lab);
  }

  @Test
  void noConnectionToAHealthyEndpointIsLost() throws IOException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    for (int i = 0; i < EVENTS || System.nanoTime() < end; i++) {
      change(CHANGES);
      event(i % EVENTS);
      settle();
    }
    api.apply(churn.end());
    settle();
    assertThat(lab.node().exec("nft", "list", "ruleset"))
        .contains("10.96.0.20")
        .doesNotContain("10.96.7.");
    checkVigil();
    assertThat(probes).isGreaterThan(100);
  }

  private void event(int number) throws IOException {
    switch (number) {
      case 0 -> restartTheDaemon(true);
      case 1 -> restartTheServer(false);
      case 2 -> flushTheTable();
      case 3 -> restartTheDaemon(false);
      default -> restartTheServer(true);
    }
  }

  /** Makes random changes, and lets the long connections speak in between. */
  private void change(int count) {
    for (int i = 0; i < count; i++) {
      api.apply(churn.next());
      if (i % 10 == 0) {
        check();
      }
    }
  }

  private void check() {
    assertThat(connections.failures()).as(node::log).isEmpty();
    assertThat(vigil.failures()).as(node::log).isEmpty();
  }

  /** Waits until the node does what was written last. */
  private void settle() {
    lab.awaitAnswers(node, markers.next());
    check();
  }

  /** Changes while the daemon is down are caught up with. */
  private void restartTheDaemon(boolean byForce) throws IOException {
    if (byForce) {
      node.kill();
    } else {
      assertThat(node.stop()).as(node.log()).isZero();
    }
    change(CHANGES / 4);
    node = lab.portolan(folder);
  }

  /** With its history gone, the server makes watchers list again. */
  private void restartTheServer(boolean forgetful) {
    plane.stopServer();
    if (forgetful) {
      plane.compact();
    }
    check();
    plane.startServer();
  }

  /** What is new fails as long as the rules are gone; what is connected stays so. */
  private void flushTheTable() {
    checkVigil();
    lab.node().exec("nft", "flush", "ruleset");
    lab.awaitService(node);
    vigil = Vigil.over(lab.lab(), Vigil.usual());
  }

  private void checkVigil() {
    vigil.close();
    check();
    probes += vigil.probes();
  }
}
