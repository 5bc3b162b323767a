package dev.portolan.audit;

import dev.portolan.bpf.BpfPlace;
import dev.portolan.brain.NodeSettings;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.NeedsKernel;

/** An audit finds whatever is done to our maps and programs of eBPF. */
@NeedsKernel(tools = {"ip", "mount", "nft"})
class TamperedEbpfTest extends TamperedRules {
  private final BpfPlace sockets = BpfPlace.make();

  TamperedEbpfTest() {
    super("ebpf");
  }

  @Override
  TamperedNode open(Lab place, NodeSettings settings) {
    place.onEntryToNode(sockets::enter);
    return new AuditedSockets(place, sockets, settings);
  }

  @Override
  void tidy() {
    sockets.close();
  }
}
