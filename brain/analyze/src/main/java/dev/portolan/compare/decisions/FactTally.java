package dev.portolan.compare.decisions;

import dev.portolan.core.text.Tree;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what is known of nodes and differs. */
final class FactTally {
  /** What two nodes never have in common. */
  private static final Set<String> OWN =
      Set.of("name", "primaryIPs", "addresses", "podCIDRs", "localDetectors", "nodePortAddresses");

  private final PropertyTally properties = new PropertyTally();
  private final BitSet nodes = new BitSet();

  /** Notes what differs for one node, or between two. */
  void add(int place, NodePair pair) {
    if (pair.before().facts().equals(pair.after().facts())) {
      return;
    }
    BitSet one = new BitSet();
    one.set(place);
    boolean twoNodes = !pair.before().facts().name().equals(pair.after().facts().name());
    Map<String, Object> before = Tree.of(pair.before().facts());
    Tree.of(pair.after().facts())
        .forEach((fact, now) -> {
          Object old = before.getOrDefault(fact, "");
          if (!old.equals(now) && !(twoNodes && OWN.contains(fact))) {
            properties.add(fact, old, now, one);
            nodes.set(place);
          }
        });
  }

  /** The nodes with at least one fact. */
  BitSet nodes() {
    return nodes;
  }

  /** What was noted. */
  List<PropertyChange> changes(NodeSets sets) {
    return properties.changes(sets);
  }
}
