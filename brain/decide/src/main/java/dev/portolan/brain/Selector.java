package dev.portolan.brain;

import dev.portolan.core.cluster.EndpointSlice;
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

/**
 * Chooses the endpoints of one service port, for any node.
 *
 * <p>What can be known without a node is worked out once; what depends on the zone alone is worked
 * out once per zone. So a service with thousands of endpoints costs each of thousands of nodes only
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

  /** The candidates on each node that has some; empty where no traffic is local. */
  private final Map<String, List<EndpointCandidate>> byNode;

  /** Those of these nodes that have a ready one. */
  private final Set<String> readyNodes;

  /** Which ready endpoints are preferred: those hinted for a place, or all of them. */
  private sealed interface Topology {
    /** Why a ready endpoint is in or out. */
    Reason reason(EndpointSlice.Member member);

    record Anywhere() implements Topology {
      @Override
      public Reason reason(EndpointSlice.Member member) {
        return Reason.READY;
      }
    }

    sealed interface Hinted extends Topology {}

    record SameNode(String node) implements Hinted {
      @Override
      public Reason reason(EndpointSlice.Member member) {
        return member.nodeHints().contains(node)
            ? Reason.HINTED_FOR_THIS_NODE
            : Reason.HINTED_FOR_OTHER_NODES;
      }
    }

    record SameZone(String zone) implements Hinted {
      @Override
      public Reason reason(EndpointSlice.Member member) {
        return member.zoneHints().contains(zone)
            ? Reason.HINTED_FOR_THIS_ZONE
            : Reason.HINTED_FOR_OTHER_ZONES;
      }
    }
  }

  private static final Topology ANYWHERE = new Topology.Anywhere();

  Selector(Frontend frontend, List<EndpointCandidate> candidates) {
    this.frontend = frontend;
    this.candidates = candidates;
    this.balancing = frontend.balancing().among(candidates);
    this.anyReady = anyReady(candidates);
    this.anywhere = anyReady || anyServingWhileTerminating(candidates);
    boolean cluster = frontend.usesClusterEndpoints();
    this.hintedNodes = cluster ? hinted(true) : Set.of();
    this.hintedZones = cluster ? hinted(false) : Set.of();
    this.hintedLists =
        hintedNodes.isEmpty() && hintedZones.isEmpty() ? Map.of() : new ConcurrentHashMap<>();
    this.anywhereList = cluster ? clusterList(ANYWHERE) : List.of();
    // Where every candidate is chosen, both lists are the same, and kept once.
    this.serving =
        !cluster || anywhereList.size() == candidates.size() ? anywhereList : serving(candidates);
    this.byNode = frontend.usesLocalEndpoints() ? byNode(candidates) : Map.of();
    this.readyNodes = readyNodes(byNode);
  }

  private static boolean anyReady(List<EndpointCandidate> among) {
    for (EndpointCandidate candidate : among) {
      if (candidate.ready()) {
        return true;
      }
    }
    return false;
  }

  private static boolean anyServingWhileTerminating(List<EndpointCandidate> among) {
    for (EndpointCandidate candidate : among) {
      if (candidate.servingWhileTerminating()) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, List<EndpointCandidate>> byNode(List<EndpointCandidate> candidates) {
    Map<String, List<EndpointCandidate>> byNode = new HashMap<>();
    for (EndpointCandidate candidate : candidates) {
      if (!candidate.endpoint().node().isEmpty()) {
        byNode
            .computeIfAbsent(candidate.endpoint().node(), node -> new ArrayList<>(1))
            .add(candidate);
      }
    }
    byNode.replaceAll((node, here) -> List.copyOf(here));
    return byNode;
  }

  private static Set<String> readyNodes(Map<String, List<EndpointCandidate>> byNode) {
    if (byNode.isEmpty()) {
      return Set.of();
    }
    Set<String> nodes = new HashSet<>();
    byNode.forEach((node, here) -> {
      if (anyReady(here)) {
        nodes.add(node);
      }
    });
    return nodes;
  }

  /** Where clients find the port. */
  Frontend frontend() {
    return frontend;
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
    return health == Reason.READY ? topology.reason(candidate.member()) : health;
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
    List<Endpoint> chosen = new ArrayList<>(candidates.size());
    for (EndpointCandidate candidate : candidates) {
      if (clusterReason(candidate, topology).in()) {
        chosen.add(candidate.endpoint());
      }
    }
    return List.copyOf(chosen);
  }

  private static List<Endpoint> serving(List<EndpointCandidate> among) {
    List<Endpoint> chosen = new ArrayList<>(among.size());
    for (EndpointCandidate candidate : among) {
      if (candidate.ready() || candidate.conditions().serving()) {
        chosen.add(candidate.endpoint());
      }
    }
    return List.copyOf(chosen);
  }

  private static List<Endpoint> localList(List<EndpointCandidate> here) {
    if (here.isEmpty()) {
      return List.of();
    }
    boolean readyHere = anyReady(here);
    List<Endpoint> chosen = new ArrayList<>(here.size());
    for (EndpointCandidate candidate : here) {
      if (healthReason(candidate, readyHere).in()) {
        chosen.add(candidate.endpoint());
      }
    }
    return List.copyOf(chosen);
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
    return hintedZones.contains(zone) ? new Topology.SameZone(zone) : ANYWHERE;
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
    return Set.copyOf(places);
  }
}
