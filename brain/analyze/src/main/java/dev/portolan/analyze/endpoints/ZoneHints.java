package dev.portolan.analyze.endpoints;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Others;
import dev.portolan.analyze.Survey;
import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.text.Counted;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Hints in slices that do not do what they are there for. */
public final class ZoneHints implements Check {
  private static final KnownMistake INCOMPLETE =
      KnownMistake.warning("P0301", "a ready endpoint has no hint, so all hints are ignored")
          .seen("traffic crosses zones although the service asks for its own")
          .remedy(
              "wait for the EndpointSlice controller; write hints for all endpoints of slices"
                  + " that you make yourself")
          .because(
              """
              Hints count only if every ready endpoint of the port has one. As long as a single one \
              has none, each node uses all endpoints: otherwise that endpoint would get no traffic. \
              The EndpointSlice controller gives hints to all endpoints or to none; a mixture lasts \
              for a moment while it rewrites several slices, or comes from slices that something else \
              writes.\
              """);

  private static final KnownMistake ZONE_LEFT_OUT =
      KnownMistake.warning("P0302", "a zone with nodes has no endpoint hinted for it")
          .seen("clients in that zone use the endpoints of all zones")
          .remedy("run endpoints in every zone (topologySpreadConstraints), or accept it")
          .because(
              """
              Endpoints are hinted for zones, but none for a zone in which there are nodes. Nodes of \
              that zone ignore the hints and use all endpoints, so their traffic crosses zones and \
              adds to the load that the other zones were meant to have.\
              """);

  private static final KnownMistake NODE_WITHOUT_ZONE =
      KnownMistake.warning("P0303", "a node has no zone, but services have hints for zones")
          .seen("clients on that node use the endpoints of all zones")
          .remedy("label the node: kubectl label node NAME topology.kubernetes.io/zone=ZONE")
          .because(
              """
              A proxy compares the hints with the label topology.kubernetes.io/zone of its own node. \
              A node without the label ignores all hints for zones. Also, the EndpointSlice \
              controller gives no hints for topology-mode Auto as long as a node has no zone.\
              """);

  private static final KnownMistake UNKNOWN_ZONE =
      KnownMistake.warning("P0306", "an endpoint is hinted only for zones without nodes")
          .seen("the endpoint gets no traffic")
          .remedy("compare the hints with the nodes' labels topology.kubernetes.io/zone")
          .because(
              """
              The endpoint is reserved for clients in zones that no Node is in. Nodes that find \
              another endpoint hinted for their own zone never use this one. The zone was renamed, \
              its nodes are gone, or the hint was mistyped.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(INCOMPLETE, ZONE_LEFT_OUT, NODE_WITHOUT_ZONE, UNKNOWN_ZONE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    Map<String, Integer> zones = new TreeMap<>();
    survey.nodes().stream()
        .filter(node -> !node.leaving())
        .forEach(node -> zones.merge(node.zone(), 1, Integer::sum));
    zones.remove("");
    boolean zonesMatter = false;
    for (ServicePlan plan : survey.served()) {
      Set<Object> said = new HashSet<>();
      for (ServicePlan.PortPlan port : plan.ports()) {
        zonesMatter |=
            look(
                plan,
                port,
                zones,
                finding -> {
                  if (said.add(finding.mistake().code() + finding.object() + finding.field())) {
                    findings.accept(finding);
                  }
                });
      }
    }
    if (zonesMatter && !zones.isEmpty()) {
      lookAtNodes(survey, findings);
    }
  }

  /** Looks at one port; returns whether its hints for zones count. */
  private static boolean look(
      ServicePlan plan,
      ServicePlan.PortPlan port,
      Map<String, Integer> zones,
      Consumer<ClusterFinding> findings) {
    boolean cluster =
        port.frontend().pool(Traffic.INTERNAL) == Pool.CLUSTER
            || port.frontend().addresses().getLast().isExternal();
    List<EndpointCandidate> ready =
        port.candidates().stream().filter(one -> one.conditions().ready()).toList();
    List<EndpointCandidate> bare =
        ready.stream().filter(one -> one.member().zoneHints().isEmpty()).toList();
    boolean byNode =
        !ready.isEmpty() && ready.stream().noneMatch(one -> one.member().nodeHints().isEmpty());
    if (!cluster || bare.size() == ready.size()) {
      return false;
    }
    if (!bare.isEmpty()) {
      if (!byNode) {
        EndpointCandidate first = bare.getFirst();
        findings.accept(
            INCOMPLETE.in(
                ObjectRef.slice(first.slice()),
                "endpoints[" + first.index() + "].hints",
                bare.size()
                    + " of "
                    + Counted.of(ready.size(), "ready endpoint")
                    + " of Service "
                    + plan.draft().name()
                    + (bare.size() == 1 ? " has" : " have")
                    + " no hint (first "
                    + first.endpoint().address()
                    + "), so the hints of all others are ignored"));
      }
      return false;
    }
    Set<String> hinted = new HashSet<>();
    ready.forEach(one -> hinted.addAll(one.member().zoneHints()));
    zones.forEach((zone, nodes) -> {
      if (!hinted.contains(zone)) {
        findings.accept(
            ZONE_LEFT_OUT.in(
                plan.draft().service().ref(),
                "",
                "no endpoint is hinted for zone "
                    + zone
                    + ": its "
                    + Counted.of(nodes, "node")
                    + (nodes == 1 ? " uses all " : " use all ")
                    + Counted.of(ready.size(), "endpoint")));
      }
    });
    if (!zones.isEmpty() && hinted.stream().anyMatch(zones::containsKey)) {
      lookForUnknown(plan, ready, zones.keySet(), findings);
    }
    return true;
  }

  private static void lookForUnknown(
      ServicePlan plan,
      List<EndpointCandidate> ready,
      Set<String> zones,
      Consumer<ClusterFinding> findings) {
    for (EndpointCandidate one : ready) {
      if (one.member().zoneHints().stream().noneMatch(zones::contains)) {
        findings.accept(
            UNKNOWN_ZONE.in(
                ObjectRef.slice(one.slice()),
                "endpoints[" + one.index() + "].hints.forZones",
                one.endpoint().address()
                    + " of Service "
                    + plan.draft().name()
                    + " is hinted for "
                    + String.join(", ", one.member().zoneHints())
                    + ", and no Node is there"));
      }
    }
  }

  private static void lookAtNodes(Survey survey, Consumer<ClusterFinding> findings) {
    List<Node> bare = survey.nodes().stream().filter(node -> node.zone().isEmpty()).toList();
    if (!bare.isEmpty()) {
      findings.accept(
          NODE_WITHOUT_ZONE.in(
              bare.getFirst().ref(),
              "metadata.labels",
              "has no label " + Node.ZONE_LABEL + Others.like(bare, survey.nodes())));
    }
  }
}
