package dev.portolan.wiring;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.node.Dataplane;

/** A mode that connections can be explained for, and the settings that a node has in it. */
public record ExplainedMode(NodeSettings settings, Dataplane dataplane) {}
