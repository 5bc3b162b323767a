package dev.portolan.brain;

import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Chooses the endpoints of one service port, for any node.
 *
 * <p>What can be known without a node is worked out once; what depends on the zone alone is worked
 * out once a zone. So a service with thousands of endpoints costs each of thousands of nodes only
 * the endpoints on that node.
 */
public final class Selector {
  private final Frontend frontend;
  private final List<EndpointCandidate> candidates;
  private final List<Endpoint> serving;

  /** Where {@link #serving} is the same on all nodes: so is this. */
  private final Balancing balancing;

  private final boolean anyReady;
  private final boolean anywhere;

  /** The nodes named by hints, empty unless every ready endpoint has a hint for nodes. */
  private final Set<String> hintedNodes;

  /** The zones named by hints, empty unless every ready endpoint has a hint for zones. */
  private final Set<String> hintedZones;

  /** The list for nodes that no hint concerns. */
  private final List<Endpoint> anywhereList;

  /** The lists for hinted places, each worked out when first asked for, by whichever thread. */
  private final Map<Topology, List<Endpoint>> hintedLists;

  private final Map<String, List<EndpointCandidate>> byNode = new HashMap<>();

  /** The nodes with a ready endpoint; empty like {@link #byNode} where no traffic is local. */
  private final Set<String> readyNodes = new HashSet<>();

  /** Which ready endpoints are preferred: those hinted for a place, or all of them. */
  private sealed interface Topology {
    record Anywhere() implements Topology {}

    sealed interface Hinted extends Topology {}

    record SameNode(String node) implements Hinted {}

    record SameZone(String zone) implements Hinted {}
  }

  Selector(Frontend frontend, List<EndpointCandidate> candidates) {
    this.frontend = frontend;
    this.candidates = candidates;
    this.balancing = frontend.balancing().among(candidates);
    this.anyReady = candidates.stream().anyMatch(EndpointCandidate::ready);
    this.anywhere =
        anyReady || candidates.stream().anyMatch(EndpointCandidate::servingWhileTerminating);
    this.hintedNodes = frontend.usesClusterEndpoints() ? hinted(true) : Set.of();
    this.hintedZones = frontend.usesClusterEndpoints() ? hinted(false) : Set.of();
    this.anywhereList =
        frontend.usesClusterEndpoints() ? clusterList(new Topology.Anywhere()) : List.of();
    List<Endpoint> allServing = frontend.usesClusterEndpoints() ? serving(candidates) : List.of();
    // Mostly the same, and then kept once.
    this.serving = allServing.equals(anywhereList) ? anywhereList : allServing;
    this.hintedLists =
        hintedNodes.isEmpty() && hintedZones.isEmpty() ? Map.of() : new ConcurrentHashMap<>();
    if (frontend.usesLocalEndpoints()) {
      for (EndpointCandidate candidate : candidates) {
        if (!candidate.endpoint().node().isEmpty()) {
          byNode
              .computeIfAbsent(candidate.endpoint().node(), node -> new ArrayList<>(1))
              .add(candidate);
          if (candidate.ready()) {
            readyNodes.add(candidate.endpoint().node());
          }
        }
      }
    }
  }

  /** The nodes on which the choice may differ from that of other nodes in their zone. */
  Set<String> specialNodes() {
    if (hintedNodes.isEmpty()) {
      return byNode.keySet();
    }
    Set<String> nodes = new HashSet<>(byNode.keySet());
    nodes.addAll(hintedNodes);
    return nodes;
  }

  /** Whether the choice may differ between zones. */
  boolean dependsOnZone() {
    return !hintedZones.isEmpty();
  }

  /** The port as a node sees it; an empty node or zone stands for one that nothing refers to. */
  ServicePort select(String node, String zone) {
    List<Endpoint> cluster =
        topology(node, zone) instanceof Topology.Hinted place
            ? hintedLists.computeIfAbsent(place, this::clusterList)
            : anywhereList;
    List<EndpointCandidate> here = byNode.getOrDefault(node, List.of());
    List<Endpoint> local = localList(here);
    return new ServicePort(
        frontend.name(),
        frontend.addresses(),
        frontend.sourceRanges(),
        frontend.affinitySeconds(),
        frontend.usesClusterEndpoints() ? balancing : frontend.balancing().among(here),
        routes(cluster, local),
        cluster,
        local,
        frontend.usesClusterEndpoints() ? serving : serving(here));
  }

  private Routes routes(List<Endpoint> cluster, List<Endpoint> local) {
    Pool internal = frontend.pool(Traffic.INTERNAL);
    Pool external = frontend.pool(Traffic.EXTERNAL);
    boolean accessible = frontend.isExternallyAccessible();
    return Routes.of(
        internal,
        verdict(internal == Pool.LOCAL ? local : cluster),
        external,
        accessible ? verdict(external == Pool.LOCAL ? local : cluster) : Verdict.NONE,
        accessible ? verdict(cluster) : Verdict.NONE);
  }

  /** Why each candidate is in or out of the list for cluster traffic on a node. */
  public Reason clusterReason(EndpointCandidate candidate, String node, String zone) {
    return frontend.usesClusterEndpoints()
        ? clusterReason(candidate, topology(node, zone))
        : Reason.NOT_ASKED_FOR;
  }

  /** Why each candidate is in or out of the list for local traffic on a node. */
  public Reason localReason(EndpointCandidate candidate, String node) {
    if (!frontend.usesLocalEndpoints()) {
      return Reason.NOT_ASKED_FOR;
    }
    return !node.isEmpty() && candidate.endpoint().node().equals(node)
        ? healthReason(candidate, readyNodes.contains(node))
        : Reason.ON_ANOTHER_NODE;
  }

  private Reason clusterReason(EndpointCandidate candidate, Topology topology) {
    Reason health = healthReason(candidate, anyReady);
    if (health != Reason.READY) {
      return health;
    }
    return switch (topology) {
      case Topology.Anywhere() -> Reason.READY;
      case Topology.SameNode(String node) ->
          candidate.member().nodeHints().contains(node)
              ? Reason.HINTED_FOR_THIS_NODE
              : Reason.HINTED_FOR_OTHER_NODES;
      case Topology.SameZone(String zone) ->
          candidate.member().zoneHints().contains(zone)
              ? Reason.HINTED_FOR_THIS_ZONE
              : Reason.HINTED_FOR_OTHER_ZONES;
    };
  }

  private static Reason healthReason(EndpointCandidate candidate, boolean readyOnesExist) {
    if (candidate.ready()) {
      return Reason.READY;
    }
    if (!candidate.conditions().terminating()) {
      return Reason.NOT_READY;
    }
    if (!candidate.conditions().serving()) {
      return Reason.NOT_SERVING;
    }
    return readyOnesExist ? Reason.TERMINATING : Reason.SERVING_WHILE_TERMINATING;
  }

  private List<Endpoint> clusterList(Topology topology) {
    return endpoints(candidate -> clusterReason(candidate, topology).in());
  }

  private static List<Endpoint> serving(List<EndpointCandidate> among) {
    return endpoints(among, candidate -> candidate.ready() || candidate.conditions().serving());
  }

  private static List<Endpoint> localList(List<EndpointCandidate> here) {
    boolean readyHere = here.stream().anyMatch(EndpointCandidate::ready);
    return endpoints(here, candidate -> healthReason(candidate, readyHere).in());
  }

  private Verdict verdict(List<Endpoint> chosen) {
    if (!anywhere) {
      return Verdict.REJECT;
    }
    return chosen.isEmpty() ? Verdict.DROP : Verdict.FORWARD;
  }

  /** Hints count only if every ready endpoint has one and this very place is among them. */
  private Topology topology(String node, String zone) {
    if (hintedNodes.contains(node)) {
      return new Topology.SameNode(node);
    }
    return hintedZones.contains(zone) ? new Topology.SameZone(zone) : new Topology.Anywhere();
  }

  private Set<String> hinted(boolean nodes) {
    Set<String> places = new HashSet<>();
    for (EndpointCandidate candidate : candidates) {
      if (candidate.ready()) {
        List<String> hints =
            nodes ? candidate.member().nodeHints() : candidate.member().zoneHints();
        if (hints.isEmpty()) {
          return Set.of();
        }
        places.addAll(hints);
      }
    }
    places.remove("");
    return places;
  }

  private List<Endpoint> endpoints(Predicate<EndpointCandidate> choice) {
    return endpoints(candidates, choice);
  }

  /** The lists are shared by the selections of many nodes, so they are made immutable here. */
  private static List<Endpoint> endpoints(
      List<EndpointCandidate> from, Predicate<EndpointCandidate> choice) {
    List<Endpoint> chosen = new ArrayList<>(from.size());
    for (EndpointCandidate candidate : from) {
      if (choice.test(candidate)) {
        chosen.add(candidate.endpoint());
      }
    }
    return List.copyOf(chosen);
  }
}
