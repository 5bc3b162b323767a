package dev.portolan.compare.decisions;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterImage;

/**
 * One side of a comparison: a cluster, and what an operator says of it and of its nodes. All
 * decisions follow from it.
 */
public record DecidedState(ClusterImage cluster, BrainSettings settings, NodeSettings nodes) {
  /** The same settings for another cluster. */
  public DecidedState with(ClusterImage other) {
    return new DecidedState(other, settings, nodes);
  }

  /** Whether both were decided with the same settings. */
  boolean hasSettingsOf(DecidedState other) {
    return settings.equals(other.settings) && nodes.equals(other.nodes);
  }
}
