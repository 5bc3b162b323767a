package dev.portolan.analyze;

import dev.portolan.brain.ClusterDecision;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster as checks look at it: what is decided, what else is known, and which object has which
 * address.
 */
public final class Survey {
  private final ClusterDecision decision;
  private final Workloads workloads;
  private final PortRange nodePorts;
  private final List<ServicePlan> plans = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<NamespacedName, List<EndpointSlice>> slices = new HashMap<>();
  private final AddressBook addresses;

  /**
   * Looks at what is decided for a cluster.
   *
   * @param nodePorts the range that nodePorts are allocated from
   */
  public Survey(ClusterDecision decision, Workloads workloads, PortRange nodePorts) {
    this.decision = decision;
    this.workloads = workloads;
    this.nodePorts = nodePorts;
    decision.plans().forEach((name, plan) -> plans.add(plan));
    decision.cluster().nodes().forEach((name, node) -> nodes.add(node));
    decision
        .cluster()
        .slices()
        .forEach((name, slice) ->
            slice
                .service()
                .ifPresent(service ->
                    slices.computeIfAbsent(service, key -> new ArrayList<>()).add(slice)));
    addresses = AddressBook.of(decision.cluster());
  }

  /** The objects. */
  public ClusterImage cluster() {
    return decision.cluster();
  }

  /** What is decided for each service, served or not. */
  public List<ServicePlan> plans() {
    return plans;
  }

  /** What is decided for the services that a proxy serves. */
  public List<ServicePlan> served() {
    return plans.stream().filter(plan -> plan.draft().skipped().isEmpty()).toList();
  }

  /** The nodes. */
  public List<Node> nodes() {
    return nodes;
  }

  /** The slices of a service. */
  public List<EndpointSlice> slices(NamespacedName service) {
    return slices.getOrDefault(service, List.of());
  }

  /** Services and Pods beyond what a proxy reads. */
  public Workloads workloads() {
    return workloads;
  }

  /** The range that nodePorts are allocated from. */
  public PortRange nodePorts() {
    return nodePorts;
  }

  /** Who has which address. */
  public AddressBook addresses() {
    return addresses;
  }
}
