package dev.portolan.audit;

import dev.portolan.brain.NodeSettings;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.NeedsKernel;

/** An audit finds whatever is done to our tables of nftables. */
@NeedsKernel(tools = {"ip", "sed", "nft"})
class TamperedNftablesTest extends TamperedRules {
  TamperedNftablesTest() {
    super("nftables");
  }

  @Override
  TamperedNode open(Lab place, NodeSettings settings) {
    return new AuditedNode(place, AuditedNode.Kind.NFTABLES, settings);
  }
}
