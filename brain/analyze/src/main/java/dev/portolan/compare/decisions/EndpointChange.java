package dev.portolan.compare.decisions;

import dev.portolan.core.node.Endpoint;

/** An endpoint that was gained or lost, and the nodes that did. */
public record EndpointChange(Endpoint endpoint, NodeSet nodes) {}
