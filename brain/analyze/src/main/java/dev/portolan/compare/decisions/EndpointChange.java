package dev.portolan.compare.decisions;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.text.Tree;

/** An endpoint that was gained or lost, and the nodes that did. */
public record EndpointChange(@Tree.Inline Endpoint endpoint, NodeSet nodes) {}
