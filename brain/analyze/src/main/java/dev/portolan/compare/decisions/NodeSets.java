package dev.portolan.compare.decisions;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sets of nodes, each once: most differences concern the same nodes. */
final class NodeSets {
  private final List<String> all;
  private final Map<BitSet, NodeSet> known = new HashMap<>();

  NodeSets(List<String> all) {
    this.all = all;
  }

  /** The nodes at these places. */
  NodeSet of(BitSet members) {
    NodeSet set = known.get(members);
    if (set == null) {
      BitSet own = (BitSet) members.clone();
      set = new NodeSet(all, own);
      known.put(own, set);
    }
    return set;
  }
}
