package dev.portolan.timemachine.diff;

import dev.portolan.compare.decisions.ComparedNodes;
import dev.portolan.terminal.Remarks;
import java.util.List;

/**
 * Two states that were read.
 *
 * @param nodes the nodes to look from; none for all
 * @param twoNodes whether the two nodes are compared with each other
 */
record DiffSides(DiffSide before, DiffSide after, List<String> nodes, boolean twoNodes) {
  /** Decides what can differ in both. */
  ComparedNodes compare(Remarks remarks) {
    return twoNodes
        ? ofTwoNodes(remarks)
        : checked(
            ComparedNodes.between(before.state(remarks), after.state(remarks), this::isWanted),
            remarks);
  }

  /** Decides everything in both. */
  ComparedNodes compareFully(Remarks remarks) {
    return twoNodes
        ? ofTwoNodes(remarks)
        : checked(
            ComparedNodes.inFull(before.state(remarks), after.state(remarks), this::isWanted),
            remarks);
  }

  private ComparedNodes ofTwoNodes(Remarks remarks) {
    return ComparedNodes.of(before.state(remarks), nodes.getFirst(), nodes.getLast());
  }

  private boolean isWanted(String node) {
    return nodes.isEmpty() || nodes.contains(node);
  }

  private static ComparedNodes checked(ComparedNodes compared, Remarks remarks) {
    if (compared.pairs().getFirst().name().equals(ComparedNodes.ANY)) {
      remarks.say(
          "the two states have no Node in common; services are compared as a node sees them that"
              + " has no zone and no endpoints");
    }
    return compared;
  }
}
