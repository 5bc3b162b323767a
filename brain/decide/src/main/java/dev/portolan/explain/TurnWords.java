package dev.portolan.explain;

import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.Frontend;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.fate.Fate;
import dev.portolan.core.fate.Turn;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in words what becomes of one connection to an address of a service. */
final class TurnWords {
  private static final String RANGES = "spec.loadBalancerSourceRanges";
  private static final String EXTERNAL_POLICY = "spec.externalTrafficPolicy";
  private static final String INTERNAL_POLICY = "spec.internalTrafficPolicy";

  private final NodeFacts facts;
  private final Dataplane dataplane;
  private final ServicePlan service;
  private final ServicePlan.PortPlan plan;
  private final Frontend frontend;
  private final ObjectRef object;
  private final ServedAddress served;
  private final Origin origin;
  private final Fate fate;
  private final Destination to;
  private final List<Step> steps = new ArrayList<>();

  TurnWords(
      NodeFacts facts,
      Dataplane dataplane,
      ServicePlan service,
      ServedAddress served,
      Origin origin,
      Fate fate,
      Destination to) {
    this.facts = facts;
    this.dataplane = dataplane;
    this.service = service;
    this.plan =
        service.ports().stream()
            .filter(candidate -> candidate.frontend().name().equals(served.port().name()))
            .filter(candidate -> candidate.frontend().family() == served.port().family())
            .findFirst()
            .orElseThrow();
    this.frontend = plan.frontend();
    this.object = service.draft().service().ref();
    this.served = served;
    this.origin = origin;
    this.fate = fate;
    this.to = to;
  }

  Explanation explain() {
    step(
        NoRoute.subject(to) + " is the " + label(served.address()) + " of " + frontend.name(),
        field(served.address()));
    steps.add(origin.step());
    for (Turn turn : fate.turns()) {
      int before = steps.size();
      say(turn);
      steps.subList(before, steps.size()).replaceAll(step -> step.about(turn));
    }
    List<Share> shares = shares();
    return new Explanation(
        facts.name(),
        NoRoute.subject(to),
        Optional.of(to),
        origin.label(),
        origin.client().toString(),
        Optional.of(frontend.name()),
        fate.verdict(),
        shares,
        !shares.isEmpty() && shares.stream().allMatch(Share::masquerade),
        fate.pool().isPresent() ? reasons().leftOut() : List.of(),
        steps);
  }

  private void say(Turn turn) {
    switch (turn) {
      case Turn.NeverSent() -> setting(to.address() + " never leaves the client");
      case Turn.Listened() -> listened();
      case Turn.NotListening() ->
          setting("there is no such endpoint, so it does not listen: refused");
      case Turn.Unfiltered(List<Cidr> allowed, boolean ever) ->
          step(
              "the allowed sources "
                  + list(allowed)
                  + (ever
                      ? " do not matter in mode "
                          + dataplane.name()
                          + " while the service has no endpoints"
                      : " are not applied: mode " + dataplane.name() + " cannot"),
              RANGES);
      case Turn.LetIn(List<Cidr> allowed, boolean itself) ->
          step(
              origin.label()
                  + (itself
                      ? " is the load balancer's own address, and the node may use it: the node is"
                          + " within the allowed sources "
                      : " is within the allowed sources ")
                  + list(allowed),
              RANGES);
      case Turn.ShutOut(List<Cidr> allowed) ->
          step(
              origin.label() + " is not within the allowed sources " + list(allowed) + ": dropped",
              RANGES);
      case Turn.ByPolicy(Traffic traffic, boolean alike) -> policy(traffic, alike);
      case Turn.NotRefused() ->
          step(
              "no endpoint may answer, and mode "
                  + dataplane.name()
                  + " has no way to refuse: it is routed like any other address",
              "");
      case Turn.Unseen() ->
          step(
              "the service has no endpoints for it, and the mode "
                  + dataplane.name()
                  + " has no rule for what the node itself sends to such an address: it is routed"
                  + " like any other",
              "");
      case Turn.Fallback(boolean bypassed) ->
          step(
              "no endpoint is serving on node "
                  + facts.name()
                  + ", and the mode "
                  + dataplane.name()
                  + " then uses those of all nodes"
                  + (bypassed
                      ? "; the client's address is kept, so the answer of an endpoint on another"
                          + " node bypasses this one, and a client outside the cluster drops it"
                      : ""),
              served.address().isExternal() ? EXTERNAL_POLICY : INTERNAL_POLICY);
      case Turn.Rejected() -> rejected();
      case Turn.Dropped() ->
          setting("there are endpoints, but none is serving on node " + facts.name() + ": dropped");
      case Turn.Chosen(int otherPorts) -> chosen(otherPorts);
      case Turn.Kept(Turn.Kept.Keeper keeper) -> kept(keeper);
      case Turn.Hashed _ -> hashed();
      case Turn.Weighted(int least, int most, int total) ->
          step(
              "the endpoints have weights from "
                  + least
                  + " to "
                  + most
                  + ", "
                  + total
                  + " together",
              ServiceAnnotation.WEIGHTS.field());
      case Turn.Unweighted() ->
          step("mode " + dataplane.name() + " has no weights", ServiceAnnotation.WEIGHTS.field());
      case Turn.Relayed() ->
          setting(
              "the proxy of this node stands in between: the endpoint sees an address of the node,"
                  + " and the connection ends with that process");
      case Turn.Connected() ->
          setting(
              "mode "
                  + dataplane.name()
                  + " connects the client's socket to the endpoint itself, which sees the client's"
                  + " own address");
      case Turn.LeftToSystem() ->
          setting(
              "nothing here masquerades; which source address the endpoint sees, the system"
                  + " decides");
      case Turn.Masqueraded(Turn.Masqueraded.Why why) -> masqueraded(why);
      case Turn.Hairpin(Endpoint endpoint) ->
          setting("masqueraded where it reaches itself: the client is endpoint " + endpoint);
    }
  }

  /** What a process of the node does that listens there: it only takes endpoints for others. */
  private void listened() {
    setting(
        "no rule can send a packet for "
            + to.address()
            + " elsewhere: the daemon itself listens there, and passes bytes on to an"
            + " endpoint, which sees the node's address");
    step(
        frontend.externalPolicy() == TrafficPolicy.LOCAL
            ? "externalTrafficPolicy is Local: it takes only endpoints on this node"
            : "externalTrafficPolicy is Cluster: it takes endpoints on any node",
        EXTERNAL_POLICY);
    if (fate.verdict() == Verdict.FORWARD) {
      steps.add(reasons().chosen(endpoints()));
    }
  }

  private void policy(Traffic traffic, boolean alike) {
    switch (traffic) {
      case INTERNAL ->
          step(
              frontend.internalPolicy() == TrafficPolicy.LOCAL
                  ? "internalTrafficPolicy is Local: only endpoints on this node may answer"
                  : "internalTrafficPolicy is Cluster: endpoints on any node may answer",
              INTERNAL_POLICY);
      case EXTERNAL ->
          step(
              frontend.externalPolicy() == TrafficPolicy.LOCAL
                  ? "externalTrafficPolicy is Local: only endpoints on this node may answer"
                  : "externalTrafficPolicy is Cluster: endpoints on any node may answer",
              EXTERNAL_POLICY);
      case SHORT_CIRCUIT ->
          step(
              alike
                  ? "externalTrafficPolicy is Local: only endpoints on this node may answer; in"
                      + " mode "
                      + dataplane.name()
                      + " that holds for pods and the node itself too"
                  : "externalTrafficPolicy is Local, but pods and the node itself may use"
                      + " endpoints on any node",
              EXTERNAL_POLICY);
    }
  }

  private void rejected() {
    String mismatch = plan.draft().mismatch();
    int known = plan.candidates().size();
    boolean dualStack =
        service.ports().stream().anyMatch(it -> it.frontend().family() != frontend.family());
    step(
        (known > 0
                ? "none of the service's " + known + " endpoints is ready or still serving"
                : mismatch.isEmpty()
                    ? "the service has no "
                        + (dualStack ? frontend.family() + " " : "")
                        + "endpoints"
                    : mismatch)
            + ": rejected",
        mismatch.isEmpty() ? "" : "spec.ports");
  }

  private void chosen(int otherPorts) {
    steps.add(reasons().chosen(endpoints()));
    if (otherPorts > 0) {
      step(
          "mode "
              + dataplane.name()
              + " can only send to one target port, which is "
              + endpoints().getFirst().port()
              + "; endpoints with another one, which get nothing: "
              + otherPorts,
          "spec.ports.targetPort");
    }
    reasons().ignoredHints().ifPresent(steps::add);
  }

  private void kept(Turn.Kept.Keeper keeper) {
    String returns = " within " + frontend.affinitySeconds() + " s";
    step(
        switch (keeper) {
          case RULES -> "a client that returns" + returns + " keeps its endpoint";
          case SOCKETS ->
              "a pod, or all processes in the node's own network together, that returns"
                  + returns
                  + " keeps its endpoint";
          case LISTENER ->
              "all clients of this node stay with one endpoint while one returns" + returns;
          case SYSTEM ->
              "a client keeps its endpoint; how long, mode " + dataplane.name() + " cannot say";
        },
        "spec.sessionAffinity");
  }

  private void hashed() {
    Balancing.Kind kind = served.port().balancing().kind();
    String text =
        "balancing "
            + kind
            + ": the client's address"
            + (kind == Balancing.Kind.MAGLEV ? " and port decide" : " decides")
            + ", alike on all nodes"
            + dataplane.shortfall(served.port()).map(what -> ", but " + what).orElse("");
    if (frontend.balancing().annotated()) {
      step(text, ServiceAnnotation.BALANCING.field());
    } else {
      setting(text + " (--balancing)");
    }
  }

  private void masqueraded(Turn.Masqueraded.Why why) {
    switch (why) {
      case ANSWERS ->
          step("masqueraded: the answer must come back through this node", EXTERNAL_POLICY);
      case ALL_CLUSTER_IPS ->
          setting("masqueraded: all traffic to cluster IPs is (--masquerade-all)");
      case NOT_A_POD -> setting("masqueraded: the client is not a pod of this node");
      case OWN_CLUSTER_IP ->
          setting("masqueraded: the node has the cluster IP, and connects from there");
      case NODE_ITSELF -> setting("masqueraded: the client is the node itself");
    }
  }

  /** A thought that rests on a field of the service. */
  private void step(String text, String field) {
    steps.add(Step.of(text, object, field));
  }

  /** A thought that rests on a setting, or on nothing. */
  private void setting(String text) {
    steps.add(Step.of(text));
  }

  private List<Endpoint> endpoints() {
    return fate.shares().stream().map(Fate.Share::endpoint).toList();
  }

  /** In the order of the objects, each with the reason why it was chosen. */
  private List<Share> shares() {
    if (fate.shares().isEmpty()) {
      return List.of();
    }
    Map<Endpoint, Fate.Share> known =
        fate.shares().stream().collect(Collectors.toMap(Fate.Share::endpoint, it -> it));
    EndpointReasons reasons = reasons();
    List<Share> shares = new ArrayList<>();
    for (EndpointCandidate candidate : plan.candidates()) {
      Fate.Share share = known.get(candidate.endpoint());
      if (share != null) {
        shares.add(
            new Share(
                share.endpoint(),
                share.share(),
                share.masquerade(),
                reasons.of(candidate),
                candidate.member().target()));
      }
    }
    return shares;
  }

  private EndpointReasons reasons() {
    return new EndpointReasons(plan, facts, fate.pool().orElseThrow());
  }

  private static String list(List<Cidr> ranges) {
    return String.join(", ", ranges.stream().map(Cidr::toString).toList());
  }

  private static String label(ServiceAddress address) {
    return switch (address.kind()) {
      case CLUSTER_IP -> "cluster IP";
      case EXTERNAL_IP -> "external IP";
      case LOAD_BALANCER_IP -> "load-balancer IP";
      case NODE_PORT -> "nodePort";
    };
  }

  private static String field(ServiceAddress address) {
    return switch (address.kind()) {
      case CLUSTER_IP -> "spec.clusterIPs";
      case EXTERNAL_IP -> "spec.externalIPs";
      case LOAD_BALANCER_IP -> "status.loadBalancer.ingress";
      case NODE_PORT -> "spec.ports.nodePort";
    };
  }
}
