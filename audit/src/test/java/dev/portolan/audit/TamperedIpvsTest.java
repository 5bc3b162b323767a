package dev.portolan.audit;

import dev.portolan.brain.NodeSettings;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.Command;
import dev.portolan.netlink.lab.NeedsVm;

/** An audit finds whatever is done to our virtual servers of IPVS and what is beside them. */
@NeedsVm
class TamperedIpvsTest extends TamperedRules {
  TamperedIpvsTest() {
    super("ipvs");
  }

  @Override
  TamperedNode open(Lab place, NodeSettings settings) {
    Command.run("modprobe", "ip_vs");
    return new AuditedNode(place, AuditedNode.Kind.IPVS, settings);
  }
}
