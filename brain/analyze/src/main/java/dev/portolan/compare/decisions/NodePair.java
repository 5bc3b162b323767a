package dev.portolan.compare.decisions;

import dev.portolan.core.node.NodeImage;

/**
 * What was decided for a node, twice.
 *
 * @param name what the pair is called: the node, or two nodes that are compared
 */
public record NodePair(String name, NodeImage before, NodeImage after) {}
