package dev.portolan.cli.daemon;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.SharedControlPlane;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests of the daemon on node-0: an API server for all of them, and a fresh host for each. */
abstract class DaemonOnNode {
  static ControlPlane plane;
  static ApiWriter writer;

  @AutoClose Host host;

  @BeforeAll
  static void startServer() {
    plane = SharedControlPlane.empty();
    writer = new ApiWriter(plane);
    writer.apply(ClusterDelta.builder().set(RandomServices.node("node-0", 1)).build());
  }

  @BeforeEach
  void openHost() throws Exception {
    host = new Host(plane, "node-0", 1);
  }
}
