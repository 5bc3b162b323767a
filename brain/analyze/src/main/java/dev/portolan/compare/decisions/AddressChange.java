package dev.portolan.compare.decisions;

import dev.portolan.core.node.ServiceAddress;

/** An address of a service port that only one side has, and the nodes where that is so. */
public record AddressChange(ServiceAddress address, NodeSet nodes) {}
