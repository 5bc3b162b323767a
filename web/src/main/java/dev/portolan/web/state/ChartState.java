package dev.portolan.web.state;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.ClusterDecision;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/**
 * All rows of services at one revision of the cluster. It never changes, and shares with the states
 * before and after it what is equal.
 *
 * @param at when the revision was first looked at
 * @param local services whose row depends on which nodes there are
 */
public record ChartState(
    ClusterDecision decision,
    Instant at,
    PersistentMap<NamespacedName, ServiceRow> rows,
    PersistentMap<NamespacedName, Boolean> local) {
  /** A chart without anything. */
  static ChartState empty(BrainSettings settings) {
    return new ChartState(
        new ClusterDecision(0, settings, ClusterImage.EMPTY, PersistentMap.empty()),
        Instant.EPOCH,
        PersistentMap.empty(),
        PersistentMap.empty());
  }

  /** The chart of {@code newest}; services that are as before cost nothing. */
  ChartState follow(ClusterDecision newest, Instant now) {
    Set<NamespacedName> touched = new TreeSet<>();
    decision.plans().diff(newest.plans(), (name, before, after) -> touched.add(name));
    decision
        .cluster()
        .nodes()
        .diff(
            newest.cluster().nodes(),
            (node, before, after) -> {
              if (before == null || after == null) {
                local.forEach((name, _) -> touched.add(name));
              }
            });
    PersistentMap<NamespacedName, ServiceRow> newRows = rows;
    PersistentMap<NamespacedName, Boolean> newLocal = local;
    for (NamespacedName name : touched) {
      ServicePlan plan = newest.plans().get(name);
      if (plan == null) {
        newRows = newRows.without(name);
        newLocal = newLocal.without(name);
      } else {
        newRows = newRows.with(name, RowReader.read(plan, newest.cluster().nodes()));
        newLocal =
            RowReader.dependsOnNodes(plan) ? newLocal.with(name, true) : newLocal.without(name);
      }
    }
    return new ChartState(newest, now, newRows, newLocal);
  }

  /** The revision of the cluster. */
  public long revision() {
    return decision.revision();
  }
}
