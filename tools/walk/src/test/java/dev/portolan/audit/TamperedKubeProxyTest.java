package dev.portolan.audit;

import dev.portolan.brain.NodeSettings;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.peers.NeedsBuilt;
import org.junit.jupiter.api.Nested;

/** An audit finds whatever is done to the rules of the real kube-proxy. */
@AtNight
@NeedsKernel(tools = {"ip", "sed", "nft", "iptables-nft-restore"})
@NeedsBuilt("kube-proxy")
class TamperedKubeProxyTest {
  @Nested
  class InModeNftables extends TamperedRules {
    InModeNftables() {
      super("nftables-kube-proxy");
    }

    @Override
    TamperedNode open(Lab place, NodeSettings settings) {
      return new AuditedKubeProxy(place, "nftables", settings);
    }
  }

  @Nested
  class InModeIptables extends TamperedRules {
    InModeIptables() {
      super("iptables");
    }

    @Override
    TamperedNode open(Lab place, NodeSettings settings) {
      return new AuditedKubeProxy(place, "iptables", settings);
    }
  }
}
