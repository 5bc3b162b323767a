package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.NeedsKernel;
import org.junit.jupiter.api.Test;

/** A takeover from a kube-proxy whose first try fails, in a real kernel. */
@NeedsPeers
@NeedsKernel(tools = {"ipset", "iptables-nft"})
final class TakeoverAgainTest extends DaemonOnNode {
  private static final String[] RULE = {
    "INPUT", "-m", "set", "--match-set", "KUBE-CLUSTER-IP", "dst,dst", "-j", "ACCEPT"
  };

  private void iptables(String operation) {
    String[] words = new String[RULE.length + 2];
    words[0] = "iptables-nft";
    words[1] = operation;
    System.arraycopy(RULE, 0, words, 2, RULE.length);
    host.namespace().run(words);
  }

  private static String taints() {
    return plane.request("GET", "/api/v1/nodes/node-0", "").replaceFirst("(?s).*\"spec\"", "");
  }

  private String sets() {
    return host.namespace().run("ipset", "list", "-n");
  }

  @Test
  void itIsTriedAgainAndTheTaintGoesOnceItIsDone() throws Exception {
    PatchRight.grant(plane);
    plane.request(
        "PATCH",
        "/api/v1/nodes/node-0",
        """
        {"spec": {"taints": [{"key": "portolan.dev/not-ready", "effect": "NoSchedule"}]}}
        """);
    host.namespace().run("ipset", "create", "KUBE-CLUSTER-IP", "hash:ip,port");
    iptables("-A");
    host.namespace().nft("table ip kube-proxy { chain services { counter; }; }");
    try (Daemon daemon = host.start("--node-taint=portolan.dev/not-ready")) {
      daemon.awaitLog("Could not remove what kube-proxy left", 2);
      assertThat(daemon.log())
          .contains("Synced for the first time", "what=\"nftables: table ip kube-proxy\"")
          .containsPattern("code=\"PORT-306\" cause=\"ipset: 1 set: .*EBUSY.*\" retry=\"1s\"")
          .doesNotContain("Sync failed");
      assertThat(host.healthz().status()).isEqualTo(200);
      assertThat(host.ruleset())
          .contains("table ip portolan")
          .doesNotContain("table ip kube-proxy");
      assertThat(taints()).contains("portolan.dev/not-ready");

      iptables("-D");
      daemon.awaitLog("Removed the taint from the node", 1);
      assertThat(daemon.log()).contains("what=\"ipset: 1 set\"");
      assertThat(sets()).isEmpty();
      assertThat(taints()).doesNotContain("portolan.dev/not-ready");
    }
  }
}
