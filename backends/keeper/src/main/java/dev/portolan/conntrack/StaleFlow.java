package dev.portolan.conntrack;

import dev.portolan.core.node.ServicePortName;
import dev.portolan.netlink.conntrack.Flow;

/** A flow that is to end, and why; {@code service} is whose address it uses, or used. */
public record StaleFlow(Flow flow, StaleReason reason, ServicePortName service) {}
