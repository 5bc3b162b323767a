package dev.portolan.web.state;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.ClusterDecision;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    Map<NamespacedName, List<EndpointSlice>> slices = slicesOfUnproxied(touched, newest);
    for (NamespacedName name : touched) {
      ServicePlan plan = newest.plans().get(name);
      if (plan == null) {
        newRows = newRows.without(name);
        newLocal = newLocal.without(name);
      } else {
        newRows =
            newRows.with(
                name,
                RowReader.read(
                    plan, newest.cluster().nodes(), slices.getOrDefault(name, List.of())));
        newLocal =
            RowReader.dependsOnNodes(plan) ? newLocal.with(name, true) : newLocal.without(name);
      }
    }
    return new ChartState(newest, now, newRows, newLocal);
  }

  /** A plan has no endpoints of a service that is not proxied; those of all are found at once. */
  private static Map<NamespacedName, List<EndpointSlice>> slicesOfUnproxied(
      Set<NamespacedName> names, ClusterDecision decision) {
    Map<NamespacedName, List<EndpointSlice>> found = new HashMap<>();
    for (NamespacedName name : names) {
      ServicePlan plan = decision.plans().get(name);
      if (plan != null && !plan.draft().skipped().isEmpty()) {
        found.put(name, new ArrayList<>());
      }
    }
    if (!found.isEmpty()) {
      decision
          .cluster()
          .slices()
          .forEach(
              (_, slice) -> slice.service().map(found::get).ifPresent(slices -> slices.add(slice)));
    }
    return found;
  }

  /** The revision of the cluster. */
  public long revision() {
    return decision.revision();
  }
}
