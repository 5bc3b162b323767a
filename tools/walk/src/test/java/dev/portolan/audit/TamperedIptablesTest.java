package dev.portolan.audit;

import dev.portolan.brain.NodeSettings;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.NeedsKernel;

/** An audit finds whatever is done to our chains of iptables. */
@NeedsKernel(tools = {"ip", "sed", "iptables-nft-restore"})
class TamperedIptablesTest extends TamperedRules {
  TamperedIptablesTest() {
    super("iptables");
  }

  @Override
  TamperedNode open(Lab place, NodeSettings settings) {
    return new AuditedNode(place, AuditedNode.Kind.IPTABLES_NFT, settings);
  }
}
