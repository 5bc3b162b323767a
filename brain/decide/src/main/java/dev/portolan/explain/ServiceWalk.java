package dev.portolan.explain;

import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.Frontend;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.LeftOut;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Follows one connection to an address of a service. */
final class ServiceWalk {
  private final NodeFacts facts;
  private final Dataplane dataplane;
  private final ServicePlan.PortPlan plan;
  private final ServedAddress served;
  private final Origin origin;
  private final boolean dualStack;
  private final Frontend frontend;
  private final ObjectRef service;
  private final List<Step> steps = new ArrayList<>();
  private boolean connected;

  ServiceWalk(
      NodeFacts facts,
      Dataplane dataplane,
      ObjectRef service,
      ServicePlan.PortPlan plan,
      ServedAddress served,
      Origin origin,
      boolean dualStack) {
    this.facts = facts;
    this.dualStack = dualStack;
    this.dataplane = dataplane;
    this.plan = plan;
    this.served = served;
    this.origin = origin;
    this.frontend = plan.frontend();
    this.service = service;
  }

  Explanation explain(Destination to) {
    String subject = NoRoute.subject(to);
    steps.add(
        Step.of(
            subject + " is the " + label(served.address()) + " of " + frontend.name(),
            service,
            field(served.address())));
    steps.add(origin.step());
    if (to.address().isLoopback() && !origin.host()) {
      steps.add(Step.of(to.address() + " never leaves the client"));
      return explanation(to, Verdict.NONE, List.of(), List.of());
    }
    if (to.address().isLoopback() && dataplane.listensOn(to.address(), to.protocol())) {
      return answeredByListener(to);
    }
    if (isShutOut()) {
      return explanation(to, Verdict.DROP, List.of(), List.of());
    }
    connected = isConnected(to);
    Traffic traffic = traffic();
    Route route = dataplane.route(served.port(), traffic);
    Verdict verdict = route.verdict();
    if (verdict == Verdict.NONE) {
      step(
          "no endpoint may answer, and mode "
              + dataplane.name()
              + " has no way to refuse: it is routed like any other address",
          "");
      return explanation(to, verdict, List.of(), reasons(route).leftOut());
    }
    if (verdict != Verdict.FORWARD && isUnseen(to)) {
      return explanation(to, Verdict.NONE, List.of(), reasons(route).leftOut());
    }
    explainFallback(route);
    List<Endpoint> endpoints = endpoints(route);
    explainChoice(route, endpoints);
    explainOnePort(route, endpoints);
    if (verdict != Verdict.FORWARD) {
      return explanation(to, verdict, List.of(), reasons(route).leftOut());
    }
    reasons(route).ignoredHints().ifPresent(steps::add);
    if (frontend.affinitySeconds() > 0) {
      step(
          dataplane.forwardsOnly()
              ? "a client keeps its endpoint; how long, mode " + dataplane.name() + " cannot say"
              : (connected
                      ? "a pod, or all processes in the node's own network together, that returns"
                      : "a client that returns")
                  + " within "
                  + frontend.affinitySeconds()
                  + " s keeps its endpoint",
          "spec.sessionAffinity");
    }
    explainBalancing(endpoints);
    boolean masquerade = explainMasquerade(route);
    return explanation(to, verdict, shares(endpoints, route, masquerade), reasons(route).leftOut());
  }

  /** Whether no rule is met, because the client's socket is connected to an endpoint. */
  private boolean isConnected(Destination to) {
    boolean here = origin.pod() || origin.host() || origin.client() instanceof Client.Pod;
    boolean known = !served.address().isNodePort() || facts.addresses().contains(to.address());
    return dataplane.connectsSockets()
        && here
        && known
        && Dataplane.suitsSockets(served.port(), served.address(), facts);
  }

  /** The endpoints that a route leads to. */
  private List<Endpoint> endpoints(Route route) {
    return route.verdict() == Verdict.FORWARD
        ? dataplane.endpoints(served.port(), route.pool())
        : List.of();
  }

  /** That endpoints of other nodes are used in spite of the policy. */
  private void explainFallback(Route route) {
    boolean external = served.address().isExternal();
    Route decided = served.port().route(external ? Traffic.EXTERNAL : Traffic.INTERNAL);
    if (dataplane.virtualServers() && route.pool() != decided.pool()) {
      step(
          "no endpoint is serving on node "
              + facts.name()
              + ", and the mode "
              + dataplane.name()
              + " then uses those of all nodes"
              + (external && !origin.pod() && !origin.host()
                  ? "; the client's address is kept, so the answer of an endpoint on another node"
                      + " bypasses this one, and a client outside the cluster drops it"
                  : ""),
          external ? "spec.externalTrafficPolicy" : "spec.internalTrafficPolicy");
    }
  }

  /** That endpoints are left out because they have another port than most. */
  private void explainOnePort(Route route, List<Endpoint> endpoints) {
    int others =
        route.verdict() == Verdict.FORWARD
            ? served.port().endpoints(route.pool()).size() - endpoints.size()
            : 0;
    if (others > 0) {
      step(
          "mode "
              + dataplane.name()
              + " can only send to one target port, which is "
              + endpoints.getFirst().port()
              + "; endpoints with another one, which get nothing: "
              + others,
          "spec.ports.targetPort");
    }
  }

  /** What a process of the node does that listens there: it only takes endpoints for others. */
  private Explanation answeredByListener(Destination to) {
    steps.add(
        Step.of(
            "no rule can send a packet for "
                + to.address()
                + " elsewhere: the daemon itself listens there, and passes bytes on to an"
                + " endpoint, which sees the node's address"));
    Route route = served.port().route(Traffic.EXTERNAL);
    boolean local = frontend.externalPolicy() == TrafficPolicy.LOCAL;
    step(
        local
            ? "externalTrafficPolicy is Local: it takes only endpoints on this node"
            : "externalTrafficPolicy is Cluster: it takes endpoints on any node",
        "spec.externalTrafficPolicy");
    if (route.verdict() != Verdict.FORWARD) {
      steps.add(Step.of("there is no such endpoint, so it does not listen: refused"));
      return explanation(to, Verdict.REJECT, List.of(), reasons(route).leftOut());
    }
    List<Endpoint> endpoints = endpoints(route);
    explainChoice(route, endpoints);
    if (frontend.affinitySeconds() > 0) {
      step(
          "all clients of this node stay with one endpoint while one returns within "
              + frontend.affinitySeconds()
              + " s",
          "spec.sessionAffinity");
    }
    explainWeights(endpoints);
    return explanation(
        to, Verdict.FORWARD, shares(endpoints, route, false), reasons(route).leftOut());
  }

  /** Whether source ranges keep the client from the load balancer's address. */
  private boolean isShutOut() {
    List<Cidr> ranges = served.port().sourceRanges(served.address());
    if (ranges.isEmpty()) {
      return false;
    }
    String text = String.join(", ", ranges.stream().map(Cidr::toString).toList());
    if (dataplane.forwardsOnly()) {
      step(
          "the allowed sources " + text + " are not applied: mode " + dataplane.name() + " cannot",
          "spec.loadBalancerSourceRanges");
      return false;
    }
    if (!dataplane.filtersWithoutEndpoints() && !served.port().forwards(served.address())) {
      step(
          "the allowed sources "
              + text
              + " do not matter in mode "
              + dataplane.name()
              + " while the service has no endpoints",
          "spec.loadBalancerSourceRanges");
      return false;
    }
    if (origin.isWithin(ranges)) {
      step(
          origin.label() + " is within the allowed sources " + text,
          "spec.loadBalancerSourceRanges");
      return false;
    }
    boolean own = origin.isWithin(facts.allowedSources(served.port(), served.address()));
    step(
        own
            ? origin.label()
                + " is the load balancer's own address, and the node may use it: the node is within"
                + " the allowed sources "
                + text
            : origin.label() + " is not within the allowed sources " + text + ": dropped",
        "spec.loadBalancerSourceRanges");
    return !own;
  }

  /** Whether the rules that end connections without endpoints do not see this one. */
  private boolean isUnseen(Destination to) {
    boolean unseen =
        !dataplane.endsOwnConnections()
            && origin.host()
            && served.address().isExternal()
            && !served.address().isNodePort()
            && !facts.addresses().contains(to.address());
    if (unseen) {
      step(
          "the service has no endpoints for it, and the mode "
              + dataplane.name()
              + " has no rule for what the node itself sends to such an address: it is routed like"
              + " any other",
          "");
    }
    return unseen;
  }

  private void step(String text, String field) {
    steps.add(Step.of(text, service, field));
  }

  private Traffic traffic() {
    if (!served.address().isExternal()) {
      boolean local = frontend.internalPolicy() == TrafficPolicy.LOCAL;
      steps.add(
          Step.of(
              local
                  ? "internalTrafficPolicy is Local: only endpoints on this node may answer"
                  : "internalTrafficPolicy is Cluster: endpoints on any node may answer",
              service,
              "spec.internalTrafficPolicy"));
      return Traffic.INTERNAL;
    }
    boolean local = frontend.externalPolicy() == TrafficPolicy.LOCAL;
    boolean shortcut = served.port().routes().shortCircuits() && (origin.pod() || origin.host());
    boolean ignored = shortcut && dataplane.hasOneListForAll();
    steps.add(
        Step.of(
            ignored
                ? "externalTrafficPolicy is Local: only endpoints on this node may answer; in mode "
                    + dataplane.name()
                    + " that holds for pods and the node itself too"
                : shortcut
                    ? "externalTrafficPolicy is Local, but pods and the node itself may use"
                        + " endpoints on any node"
                    : local
                        ? "externalTrafficPolicy is Local: only endpoints on this node may answer"
                        : "externalTrafficPolicy is Cluster: endpoints on any node may answer",
            service,
            "spec.externalTrafficPolicy"));
    return shortcut ? Traffic.SHORT_CIRCUIT : Traffic.EXTERNAL;
  }

  private void explainChoice(Route route, List<Endpoint> endpoints) {
    int known = plan.candidates().size();
    switch (route.verdict()) {
      case REJECT ->
          steps.add(
              Step.of(
                  known == 0
                      ? (plan.draft().mismatch().isEmpty()
                              ? "the service has no "
                                  + (dualStack ? frontend.family() + " " : "")
                                  + "endpoints"
                              : plan.draft().mismatch())
                          + ": rejected"
                      : "none of the service's "
                          + known
                          + " endpoints is ready or still serving: rejected",
                  service,
                  plan.draft().mismatch().isEmpty() ? "" : "spec.ports"));
      case DROP ->
          steps.add(
              Step.of(
                  "there are endpoints, but none is serving on node "
                      + facts.name()
                      + ": dropped"));
      case FORWARD -> steps.add(reasons(route).chosen(endpoints));
      case NONE -> throw new IllegalStateException("an address without a verdict");
    }
  }

  /** What decides between several endpoints where it is not chance alone. */
  private void explainBalancing(List<Endpoint> endpoints) {
    Balancing balancing = served.port().balancing();
    if (balancing.kind().hashes()) {
      String text =
          "balancing "
              + balancing.kind()
              + ": the client's address"
              + (balancing.kind() == Balancing.Kind.MAGLEV ? " and port decide" : " decides")
              + ", alike on all nodes"
              + dataplane.shortfall(served.port()).map(what -> ", but " + what).orElse("");
      steps.add(
          frontend.balancing().annotated()
              ? Step.of(text, service, ServiceAnnotation.BALANCING.field())
              : Step.of(text + " (--balancing)"));
    }
    explainWeights(endpoints);
  }

  private void explainWeights(List<Endpoint> endpoints) {
    Balancing balancing = served.port().balancing();
    if (dataplane.forwardsOnly()) {
      if (!balancing.weights().isEmpty()) {
        step("mode " + dataplane.name() + " has no weights", ServiceAnnotation.WEIGHTS.field());
      }
      return;
    }
    if (endpoints.stream().mapToInt(balancing::weight).distinct().count() > 1) {
      int total = endpoints.stream().mapToInt(balancing::weight).sum();
      int least = endpoints.stream().mapToInt(balancing::weight).min().orElseThrow();
      int most = endpoints.stream().mapToInt(balancing::weight).max().orElseThrow();
      step(
          "the endpoints have weights from " + least + " to " + most + ", " + total + " together",
          ServiceAnnotation.WEIGHTS.field());
    }
  }

  /** Whether every connection of this kind is masqueraded, whatever the endpoint. */
  private boolean explainMasquerade(Route route) {
    if (dataplane.relays() && served.port().name().protocol() != Protocol.SCTP) {
      steps.add(
          Step.of(
              "the proxy of this node stands in between: the endpoint sees an address of the node,"
                  + " and the connection ends with that process"));
      return true;
    }
    if (connected) {
      steps.add(
          Step.of(
              "mode "
                  + dataplane.name()
                  + " connects the client's socket to the endpoint itself, which sees the client's"
                  + " own address"));
      return false;
    }
    if (dataplane.forwardsOnly()) {
      steps.add(
          Step.of(
              "nothing here masquerades; which source address the endpoint sees, the system"
                  + " decides"));
      return false;
    }
    return switch (route.masquerade()) {
      case ALL -> {
        steps.add(
            Step.of(
                "masqueraded: the answer must come back through this node",
                service,
                "spec.externalTrafficPolicy"));
        yield true;
      }
      case ALL_BUT_PODS -> {
        if (facts.masqueradeAll()) {
          steps.add(Step.of("masqueraded: all traffic to cluster IPs is (--masquerade-all)"));
          yield true;
        }
        boolean elsewhere = origin.detects() && !origin.pod();
        boolean itself = dataplane.virtualServers() && !origin.detects() && origin.host();
        if (elsewhere) {
          steps.add(Step.of("masqueraded: the client is not a pod of this node"));
        } else if (itself) {
          steps.add(Step.of("masqueraded: the node has the cluster IP, and connects from there"));
        }
        yield elsewhere || itself;
      }
      case NODE -> {
        boolean node = origin.host() && !origin.pod();
        if (node) {
          steps.add(Step.of("masqueraded: the client is the node itself"));
        }
        yield node;
      }
      case NONE -> false;
    };
  }

  private List<Share> shares(List<Endpoint> endpoints, Route route, boolean masquerade) {
    List<Share> shares = new ArrayList<>();
    Set<Endpoint> chosen = new HashSet<>(endpoints);
    Balancing balancing = served.port().balancing();
    ToIntFunction<Endpoint> weight = dataplane.forwardsOnly() ? _ -> 1 : balancing::weight;
    int total = endpoints.stream().mapToInt(weight).sum();
    EndpointReasons reasons = reasons(route);
    for (EndpointCandidate candidate : plan.candidates()) {
      Endpoint endpoint = candidate.endpoint();
      if (chosen.contains(endpoint)) {
        boolean hairpin =
            !masquerade
                && !connected
                && !dataplane.forwardsOnly()
                && facts.isLocal(endpoint)
                && origin.range().equals(Optional.of(Cidr.only(endpoint.address())));
        if (hairpin) {
          steps.add(
              Step.of("masqueraded where it reaches itself: the client is endpoint " + endpoint));
        }
        shares.add(
            new Share(
                endpoint,
                (double) weight.applyAsInt(endpoint) / total,
                masquerade || hairpin,
                reasons.of(candidate),
                candidate.member().target()));
      }
    }
    return shares;
  }

  private Explanation explanation(
      Destination to, Verdict verdict, List<Share> shares, List<LeftOut> leftOut) {
    return new Explanation(
        facts.name(),
        NoRoute.subject(to),
        Optional.of(to),
        origin.label(),
        origin.client().toString(),
        Optional.of(frontend.name()),
        verdict,
        shares,
        !shares.isEmpty() && shares.stream().allMatch(Share::masquerade),
        leftOut,
        steps);
  }

  private EndpointReasons reasons(Route route) {
    return new EndpointReasons(plan, facts, route.pool());
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
