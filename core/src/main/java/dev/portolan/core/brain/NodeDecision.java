package dev.portolan.core.brain;

import dev.portolan.core.node.NodeImage;

/** What is decided for one node, and the decision about the cluster that it follows from. */
public record NodeDecision(NodeImage image, ClusterDecision cluster) {}
