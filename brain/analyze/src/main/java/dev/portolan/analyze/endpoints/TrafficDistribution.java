package dev.portolan.analyze.endpoints;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.Survey;
import dev.portolan.analyze.WholeService;
import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.text.Counted;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Services that ask for near endpoints, and do not get them. */
public final class TrafficDistribution implements Check {
  private static final Set<String> WORDS =
      Set.of("PreferClose", "PreferSameZone", "PreferSameNode");

  private static final KnownMistake NO_HINTS =
      KnownMistake.warning("P0304", "near endpoints are asked for, but the slices have no hints")
          .seen("traffic goes to the endpoints of all zones")
          .remedy("see the events of the Service, and that nodes have topology.kubernetes.io/zone")
          .needing(Need.WHOLE_SERVICES)
          .because(
              """
              spec.trafficDistribution and the annotation service.kubernetes.io/topology-mode ask \
              the EndpointSlice controller for hints; the proxy only follows those. The slices of \
              the service have none. The reasons, as far as they can be seen, are in the finding: an \
              endpoint without a zone, because its node has no label topology.kubernetes.io/zone; or, \
              with topology-mode Auto, fewer endpoints than zones, or zones whose share of the \
              cluster's CPUs differs too much from their share of endpoints. Otherwise the controller \
              is older than the field, or the slices are made by something else.\
              """);

  private static final KnownMistake LOCAL_WINS =
      KnownMistake.info("P0305", "trafficDistribution with internalTrafficPolicy Local")
          .seen("cluster-internal traffic stays on the node, or is dropped")
          .remedy(
              "use trafficDistribution PreferSameNode with internalTrafficPolicy Cluster for a"
                  + " preference instead of a rule")
          .needing(Need.WHOLE_SERVICES)
          .because(
              """
              internalTrafficPolicy Local allows endpoints of the client's own node only, so there is \
              nothing left to prefer for traffic to the cluster IP. If Local was chosen to save a hop, \
              PreferSameNode does that without dropping traffic on nodes that have no endpoint.\
              """);

  private static final KnownMistake UNKNOWN =
      KnownMistake.warning("P0307", "an unknown trafficDistribution")
          .seen("an API server refuses the object, or traffic goes to all zones")
          .remedy("write PreferSameZone, PreferSameNode or PreferClose")
          .needing(Need.WHOLE_SERVICES)
          .because(
              """
              Kubernetes knows the values PreferSameZone, PreferSameNode and PreferClose, which is an \
              older name of PreferSameZone. Others get no hints.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(NO_HINTS, LOCAL_WINS, UNKNOWN);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    for (ServicePlan plan : survey.plans()) {
      WholeService whole = survey.workloads().service(plan.draft().name()).orElse(null);
      if (whole == null || whole.distribution().isEmpty()) {
        continue;
      }
      ObjectRef object = plan.draft().service().ref();
      boolean isField = whole.distributionField().startsWith("spec.");
      if (isField && !WORDS.contains(whole.distribution())) {
        findings.accept(
            UNKNOWN.in(object, whole.distributionField(), whole.distribution() + " is not known"));
      } else if (plan.draft().service().internalTrafficPolicy() == TrafficPolicy.LOCAL) {
        findings.accept(
            LOCAL_WINS.in(
                object,
                whole.distributionField(),
                whole.distribution() + " has no effect with internalTrafficPolicy Local"));
      } else {
        why(survey, plan, whole)
            .ifPresent(reason ->
                findings.accept(
                    NO_HINTS.in(
                        object,
                        whole.distributionField(),
                        whole.distribution() + ", but no slice has hints" + reason)));
      }
    }
  }

  /** Why there are no hints, if there are none though there could be. */
  private static Optional<String> why(Survey survey, ServicePlan plan, WholeService whole) {
    List<EndpointCandidate> ready =
        plan.ports().stream()
            .flatMap(port -> port.candidates().stream())
            .filter(one -> one.conditions().ready())
            .toList();
    boolean hinted =
        ready.stream()
            .anyMatch(
                one -> !one.member().zoneHints().isEmpty() || !one.member().nodeHints().isEmpty());
    if (ready.isEmpty() || hinted) {
      return Optional.empty();
    }
    Optional<EndpointCandidate> nowhere =
        ready.stream().filter(one -> one.member().zone().isEmpty()).findFirst();
    if (nowhere.isPresent()) {
      return Optional.of(": " + nowhere.get().endpoint().address() + " has no zone");
    }
    long zones =
        survey.nodes().stream()
            .map(node -> node.zone())
            .filter(zone -> !zone.isEmpty())
            .distinct()
            .count();
    long endpoints = ready.stream().map(one -> one.endpoint().address()).distinct().count();
    return Optional.of(
        whole.distribution().equalsIgnoreCase("Auto") && endpoints < zones
            ? ": " + Counted.of(endpoints, "endpoint") + " for " + Counted.of(zones, "zone")
            : "");
  }
}
