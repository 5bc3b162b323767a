package dev.portolan.analyze.endpoints;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Services that have endpoints, none of which is ready. */
public final class EndpointHealth implements Check {
  private static final KnownMistake NONE_READY =
      KnownMistake.error("P0101", "no endpoint is ready")
          .seen("connections are rejected")
          .remedy("see why the Pods are not ready: kubectl describe pod")
          .because(
              """
              The service has endpoints, but no Pod behind it passes its readiness probe, and none \
              of those that are ending still serves. Every connection to any address of the service \
              is rejected: TCP clients see "connection refused", UDP clients an ICMP error. Only the \
              ports that are named in the finding are concerned where one is named.

              If the Pods should get traffic before they are ready, as for peers that find each other, \
              set spec.publishNotReadyAddresses.\
              """);

  private static final KnownMistake ALL_TERMINATING =
      KnownMistake.warning("P0102", "all endpoints are terminating")
          .seen("connections go to Pods that are about to end, and will be rejected then")
          .remedy("see why no new Pod gets ready, or scale the workload up")
          .because(
              """
              No endpoint is ready, but some are terminating and still serve. A proxy uses these as \
              a last resort (ProxyTerminatingEndpoints), so connections work until the Pods end, \
              usually within 30 seconds. After that they are rejected.

              This is normal for a moment while a service is taken away. If it lasts, new Pods do not \
              get ready: a rollout with maxUnavailable 100%, a drain without a PodDisruptionBudget, \
              or a single replica.\
              """);

  private enum State {
    NOT_READY,
    TERMINATING,
    OTHER
  }

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(NONE_READY, ALL_TERMINATING);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    for (ServicePlan plan : survey.served()) {
      report(plan, State.NOT_READY, NONE_READY, findings);
      report(plan, State.TERMINATING, ALL_TERMINATING, findings);
    }
  }

  private static void report(
      ServicePlan plan, State wanted, KnownMistake mistake, Consumer<ClusterFinding> findings) {
    List<ServicePlan.PortPlan> concerned = new ArrayList<>();
    for (ServicePlan.PortPlan port : plan.ports()) {
      if (state(port.candidates()) == wanted) {
        concerned.add(port);
      }
    }
    if (concerned.isEmpty()) {
      return;
    }
    Map<String, List<ServicePlan.PortPlan>> byCounts =
        concerned.stream()
            .collect(
                Collectors.groupingBy(
                    port -> counts(port.candidates(), wanted),
                    LinkedHashMap::new,
                    Collectors.toList()));
    findings.accept(
        mistake.in(
            plan.draft().service().ref(),
            "",
            byCounts.entrySet().stream()
                .map(entry -> PortWords.of(plan, entry.getValue()) + " (" + entry.getKey() + ")")
                .collect(Collectors.joining(", nor", "no endpoint is ready", ""))));
  }

  private static String counts(List<EndpointCandidate> candidates, State wanted) {
    long going = candidates.stream().filter(one -> one.conditions().terminating()).count();
    long serving = candidates.stream().filter(one -> lasts(one.conditions())).count();
    return wanted == State.TERMINATING
        ? serving + " of " + candidates.size() + " still in use while terminating"
        : candidates.size() - going + " not ready, " + going + " terminating";
  }

  private static State state(List<EndpointCandidate> candidates) {
    if (candidates.isEmpty() || candidates.stream().anyMatch(one -> one.conditions().ready())) {
      return State.OTHER;
    }
    return candidates.stream().map(EndpointCandidate::conditions).anyMatch(EndpointHealth::lasts)
        ? State.TERMINATING
        : State.NOT_READY;
  }

  /** Whether an endpoint that ends is used where there is no better one. */
  private static boolean lasts(Conditions conditions) {
    return conditions.serving() && conditions.terminating();
  }
}
