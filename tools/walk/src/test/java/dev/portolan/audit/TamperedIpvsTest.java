package dev.portolan.audit;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.Command;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsVm;
import java.util.Set;

/** An audit finds whatever is done to our virtual servers of IPVS and what is beside them. */
@AtNight
@NeedsVm
class TamperedIpvsTest extends TamperedRules {
  /** Those that tamperings name: everything takes long where the processor is emulated. */
  private static final Set<String> SERVICES = Set.of("web", "empty", "shop", "fenced", "loyal");

  TamperedIpvsTest() {
    super("ipvs");
  }

  @Override
  TamperedNode open(Lab place, NodeSettings settings) {
    Command.run("modprobe", "ip_vs");
    return new AuditedNode(place, AuditedNode.Kind.IPVS, settings, cluster());
  }

  private static ClusterImage cluster() {
    ClusterImage all = PacketTable.cluster();
    ClusterDelta.Builder some = ClusterDelta.builder();
    all.nodes().forEach((name, node) -> some.set(node));
    all.slices().forEach((name, slice) -> some.set(slice));
    all.services()
        .forEach((name, service) -> {
          if (SERVICES.contains(name.name())) {
            some.set(service);
          }
        });
    return some.build().applyTo(ClusterImage.EMPTY);
  }
}
