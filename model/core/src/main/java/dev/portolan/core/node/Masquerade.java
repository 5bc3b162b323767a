package dev.portolan.core.node;

/**
 * Whose connections get an address of this node as their source, so that answers come back through
 * it. A pod that reaches itself through a service is always masqueraded.
 */
public enum Masquerade {
  /** No client's: endpoints see the client's own address. */
  NONE,
  /** Those of the node itself, but not of its pods. */
  NODE,
  /** Those of all but this node's pods, and of these too where {@link NodeFacts#masqueradeAll}. */
  ALL_BUT_PODS,
  /** Every client's. */
  ALL
}
