package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Node;
import dev.portolan.testbase.Await;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.SharedControlPlane;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and the Node object that stands for its host. */
@NeedsPeers
final class NodeObjectTest {
  private static ControlPlane plane;
  private static ApiWriter writer;

  @TempDir private Path folder;

  @BeforeAll
  static void begin() {
    plane = SharedControlPlane.empty();
    writer = new ApiWriter(plane);
    writer.apply(new RandomServices(9).create(0, 12));
  }

  private static void set(Node node) {
    writer.apply(ClusterDelta.builder().set(node).build());
  }

  @Test
  void nothingIsWrittenBeforeTheNodeIsKnown() throws Exception {
    try (Host host = new Host(plane, "late", 1);
        Daemon daemon = host.start()) {
      Await.until(daemon::log, () -> host.healthz().body().contains("secondsSinceApiServer"));
      assertThat(host.healthz().status()).isEqualTo(503);
      assertThat(host.get("127.0.0.1", 10256, "/livez").status()).isEqualTo(200);
      assertThat(host.ruleset()).isEmpty();

      set(RandomServices.node("late", 1));
      host.awaitFresh(daemon, FreshRules.of(plane, folder));
      Await.until(daemon::log, () -> host.healthz().status() == 200);
    }
  }

  @Test
  void nodePortsFollowTheAddressesOfTheNode() throws Exception {
    Node node = RandomServices.node("moving", 2);
    set(node);
    FreshRules fresh = FreshRules.of(plane, folder);
    try (Host host = new Host(plane, "moving", 2);
        Daemon daemon = host.start()) {
      host.awaitFresh(daemon, fresh);
      assertThat(host.ruleset()).contains("172.16.0.2", "fd16::2");

      set(new Node("moving", RandomServices.addresses(3), List.of(), "", node.podCidrs(), false));
      host.awaitFresh(daemon, fresh);
      assertThat(host.ruleset()).contains("172.16.0.3", "fd16::3").doesNotContain("172.16.0.2");
      assertThat(daemon.log()).doesNotContain("Starting again");
    }
  }

  @Test
  void aNodeThatLeavesGetsNoNewTrafficAndKeepsItsRules() throws Exception {
    Node node = RandomServices.node("leaving", 4);
    set(node);
    try (Host host = new Host(plane, "leaving", 4);
        Daemon daemon = host.start()) {
      host.awaitFresh(daemon, FreshRules.of(plane, folder));
      assertThat(host.healthz().status()).isEqualTo(200);
      String rules = host.ruleset();

      set(node.asLeaving());
      awaitIneligible(host, daemon);
      set(node);
      Await.until(daemon::log, () -> host.healthz().status() == 200);
      writer.apply(ClusterDelta.builder().removeNode("leaving").build());
      awaitIneligible(host, daemon);
      assertThat(daemon.log()).contains("The Node object is gone");
      assertThat(host.ruleset()).isEqualTo(rules);
      assertThat(host.get("127.0.0.1", 10256, "/livez").status()).isEqualTo(200);

      set(node);
      Await.until(daemon::log, () -> host.healthz().status() == 200);
      assertThat(host.ruleset()).isEqualTo(rules);
    }
  }

  @Test
  void podCidrsAreWaitedForWherePodsAreToldByThem() throws Exception {
    Node node = RandomServices.node("bare", 5);
    set(new Node("bare", node.internalIps(), List.of(), "", List.of(), false));
    try (Host host = new Host(plane, "bare", 5);
        Daemon daemon = host.start("--detect-local-mode=NodeCIDR")) {
      daemon.awaitLog("Waiting for the node's pod CIDRs", 1);
      assertThat(host.ruleset()).isEmpty();

      set(node);
      daemon.awaitSync();
      assertThat(host.ruleset()).contains("10.128.5.0/24", "fd20:5::/64");
    }
  }

  @Test
  void aTaintIsRemovedOnceTheRulesAreInPlaceAndTheAccountMayDoSo() throws Exception {
    set(RandomServices.node("tainted", 6));
    plane.request(
        "PATCH",
        "/api/v1/nodes/tainted",
        """
        {"spec": {"taints": [
          {"key": "portolan.dev/not-ready", "effect": "NoSchedule"},
          {"key": "example.org/other", "value": "x", "effect": "NoSchedule"},
          {"key": "portolan.dev/not-ready", "value": "y", "effect": "NoExecute"}]}}
        """);
    try (Host host = new Host(plane, "tainted", 6);
        Daemon daemon = host.start("--node-taint=portolan.dev/not-ready")) {
      daemon.awaitLog("not allowed to patch nodes; grant it the verb patch on nodes", 1);
      assertThat(daemon.log()).contains("Synced for the first time", "code=\"PORT-203\"");
      Await.until(daemon::log, () -> host.healthz().status() == 200);
      assertThat(taints()).contains("portolan.dev/not-ready");

      PatchRight.grant(plane);
      daemon.awaitLog("Removed the taint from the node", 1);
      assertThat(taints()).contains("example.org/other").doesNotContain("portolan.dev");
      assertThat(daemon.stop()).isZero();
    }
    try (Host host = new Host(plane, "tainted", 6);
        Daemon daemon = host.start("--node-taint=portolan.dev/not-ready")) {
      daemon.awaitLog("The node does not have the taint", 1);
      assertThat(daemon.stop()).isZero();
    }
    try (Host host = new Host(plane, "tainted", 6);
        Daemon daemon = host.start("--node-taint=portolan.dev/not-ready=:NoSchedule")) {
      assertThat(daemon.awaitEnd()).isEqualTo(1);
      assertThat(daemon.log())
          .contains("--node-taint: 'portolan.dev/not-ready=:NoSchedule' is not a valid key");
    }
  }

  private static String taints() {
    return plane.request("GET", "/api/v1/nodes/tainted", "").replaceFirst("(?s).*\"spec\"", "");
  }

  private static void awaitIneligible(Host host, Daemon daemon) throws Exception {
    Await.until(daemon::log, () -> host.healthz().status() == 503);
    assertThat(host.healthz().body()).containsPattern("\"nodeEligible\": ?false");
  }
}
