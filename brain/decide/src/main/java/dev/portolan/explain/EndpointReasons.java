package dev.portolan.explain;

import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.ServiceDraft;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.fate.Explanation.LeftOut;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why each endpoint of a service port is in a pool on one node, or not. */
record EndpointReasons(ServicePlan.PortPlan plan, NodeFacts facts, Pool pool) {
  /** Why {@code candidate} is in the pool, or not. */
  Reason of(EndpointCandidate candidate) {
    return switch (pool) {
      case LOCAL -> plan.selector().localReason(candidate, facts.name());
      case CLUSTER -> plan.selector().clusterReason(candidate, facts.name(), facts.zone());
    };
  }

  /** That {@code endpoints} were chosen among all, and why the first was. */
  Step chosen(List<Endpoint> endpoints) {
    EndpointCandidate first =
        plan.candidates().stream()
            .filter(candidate -> candidate.endpoint().equals(endpoints.getFirst()))
            .findFirst()
            .orElseThrow();
    return Step.of(
        endpoints.size()
            + " of "
            + plan.candidates().size()
            + " endpoints chosen: "
            + of(first).sentence(),
        ObjectRef.slice(first.slice()),
        field(first, of(first)));
  }

  /** The members of slices that are not in the pool. */
  List<LeftOut> leftOut() {
    List<LeftOut> leftOut = new ArrayList<>();
    for (EndpointCandidate candidate : plan.candidates()) {
      Reason reason = of(candidate);
      if (!reason.in()) {
        leftOut.add(
            new LeftOut(
                candidate.endpoint().address().toString(),
                candidate.endpoint().port(),
                reason,
                Step.of(
                    reason.sentence(),
                    ObjectRef.slice(candidate.slice()),
                    field(candidate, reason))));
      }
    }
    for (ServiceDraft.PassedOver passed : plan.draft().passedOver()) {
      leftOut.add(
          new LeftOut(
              passed.address(),
              passed.port(),
              passed.reason(),
              Step.of(
                  passed.reason().sentence(),
                  ObjectRef.slice(passed.slice()),
                  "endpoints[" + passed.index() + "].addresses")));
    }
    return leftOut;
  }

  /** Hints that change nothing: one endpoint has none, or none is meant for this node. */
  Optional<Step> ignoredHints() {
    if (pool == Pool.LOCAL) {
      return Optional.empty();
    }
    List<EndpointCandidate> ready =
        plan.candidates().stream().filter(candidate -> candidate.conditions().ready()).toList();
    boolean zones = ready.stream().anyMatch(candidate -> !candidate.member().zoneHints().isEmpty());
    boolean nodes = ready.stream().anyMatch(candidate -> !candidate.member().nodeHints().isEmpty());
    Reason chosen = ready.isEmpty() ? Reason.NOT_READY : of(ready.getFirst());
    if (chosen != Reason.READY || !(zones || nodes)) {
      return Optional.empty();
    }
    Optional<EndpointCandidate> unhinted =
        ready.stream()
            .filter(candidate ->
                (zones ? candidate.member().zoneHints() : candidate.member().nodeHints()).isEmpty())
            .findFirst();
    EndpointCandidate shown = unhinted.orElse(ready.getFirst());
    String text =
        unhinted.isPresent()
            ? "the hints of the other endpoints are ignored: "
                + shown.endpoint()
                + " is ready and has none"
            : "the hints are ignored: none is for "
                + (zones
                    ? facts.zone().isEmpty()
                        ? "a node without a zone"
                        : "the zone " + facts.zone() + " of this node"
                    : "this node");
    return Optional.of(
        Step.of(
            text,
            ObjectRef.slice(shown.slice()),
            "endpoints[" + shown.index() + "]." + (zones ? "hints.forZones" : "hints.forNodes")));
  }

  private static String field(EndpointCandidate candidate, Reason reason) {
    String member = "endpoints[" + candidate.index() + "].";
    return member
        + switch (reason) {
          case READY, NOT_READY -> "conditions.ready";
          case SERVING_WHILE_TERMINATING, TERMINATING -> "conditions.terminating";
          case NOT_SERVING -> "conditions.serving";
          case HINTED_FOR_THIS_NODE, HINTED_FOR_OTHER_NODES -> "hints.forNodes";
          case HINTED_FOR_THIS_ZONE, HINTED_FOR_OTHER_ZONES -> "hints.forZones";
          case ON_ANOTHER_NODE -> "nodeName";
          case NOT_ASKED_FOR, DUPLICATE, ADDRESS_REFUSED -> "addresses";
        };
  }
}
