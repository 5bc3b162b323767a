package dev.portolan.brain;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;

/**
 * Everything decided for a cluster at one moment, with the reasons: what each node sees and why
 * follows from it. It never changes, so any thread may read it for as long as it likes, whatever
 * the brain decides meanwhile. Successive decisions share what is equal between them.
 *
 * @param revision grows with each change of the cluster; 0 means that the cluster is not known yet
 * @param cluster what it was decided from
 */
public record ClusterDecision(
    long revision,
    BrainSettings settings,
    ClusterImage cluster,
    PersistentMap<NamespacedName, ServicePlan> plans) {
  /** The decision before the cluster is known. */
  static ClusterDecision unsynced(BrainSettings settings) {
    return new ClusterDecision(0, settings, ClusterImage.EMPTY, PersistentMap.empty());
  }

  /** Whether the cluster was known. */
  public boolean isSynced() {
    return revision > 0;
  }
}
