package dev.portolan.brain;

import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeSnapshot;

/** What is decided for one node, and the decision about the cluster that it follows from. */
public record NodeDecision(NodeSnapshot snapshot, ClusterDecision cluster) {
  /** The node's image. */
  public NodeImage image() {
    return snapshot.image();
  }
}
