package dev.portolan.brain;

/**
 * What an operator says of the whole cluster.
 *
 * @param allowExternalIps whether the external IPs of services are served
 * @param keepDeletedNodes whether a node whose Node object is deleted is served on as one that is
 *     leaving, for as long as a view of it is open
 */
public record BrainSettings(boolean allowExternalIps, boolean keepDeletedNodes) {
  /** External IPs are served; a deleted node is forgotten. */
  public static final BrainSettings DEFAULT = new BrainSettings(true, false);

  /** The same, with nodes served on whose object is deleted. */
  public BrainSettings keepingDeletedNodes() {
    return new BrainSettings(allowExternalIps, true);
  }
}
