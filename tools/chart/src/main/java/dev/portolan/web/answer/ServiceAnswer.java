package dev.portolan.web.answer;

import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.NodeDecision;
import dev.portolan.brain.ServiceDraft;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.core.text.Counted;
import dev.portolan.core.text.Tree;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import dev.portolan.web.state.ServiceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A service as one node sees it, with the reasons of the explainer. */
final class ServiceAnswer {
  private static final String POD = "Pod ";

  private record Form(
      long revision,
      ServiceRow row,
      String node,
      @Nullable Affinity sessionAffinity,
      String trafficDistribution,
      String internalPolicy,
      String externalPolicy,
      int healthCheckNodePort,
      List<String> sourceRanges,
      String skipped,
      List<Warning> warnings,
      List<Port> ports) {}

  private record Affinity(String type, int timeoutSeconds) {}

  private record Port(
      String name,
      int port,
      String protocol,
      int nodePort,
      List<Address> addresses,
      List<Member> endpoints) {}

  private record Address(
      String address,
      ServiceAddress.Kind kind,
      Optional<IpFamily> family,
      String verdict,
      String sentence,
      String from,
      String client,
      List<String> steps) {}

  private record Member(
      String address,
      int port,
      String family,
      String pod,
      String node,
      String zone,
      boolean ready,
      boolean serving,
      boolean terminating,
      @Tree.Inline EndpointUses.Use use) {}

  private final NodeDecision decision;
  private final ServicePlan plan;
  private final Service service;
  private final List<Explanation> explanations;

  /** Looks at {@code plan} as {@code decision} has it. */
  ServiceAnswer(NodeDecision decision, ServicePlan plan, Dataplane dataplane) {
    this.decision = decision;
    this.plan = plan;
    this.service = plan.draft().service();
    this.explanations =
        new Explainer(decision, dataplane)
            .explain(new Target.OfService(service.name(), "", Optional.empty()), Optional.empty());
  }

  /** The answer about a service with {@code row}. */
  Object with(ServiceRow row) {
    return new Form(
        decision.cluster().revision(),
        row,
        decision.image().facts().name(),
        affinity(),
        distribution(),
        policy(Traffic.INTERNAL),
        policy(Traffic.EXTERNAL),
        plan.draft().healthCheckNodePort(),
        service.sourceRanges(),
        plan.draft().skipped(),
        plan.warnings(),
        plan.draft().skipped().isEmpty()
            ? service.ports().stream().map(this::port).toList()
            : List.of(unproxied()));
  }

  /** What DNS, and other proxies that find the endpoints by themselves, use. */
  private Port unproxied() {
    List<Member> endpoints = new ArrayList<>();
    for (EndpointSlice slice : decision.cluster().cluster().slicesOf(service.name())) {
      String family =
          switch (slice.addressType()) {
            case IPV4 -> IpFamily.IPV4.toString();
            case IPV6 -> IpFamily.IPV6.toString();
            case FQDN -> "";
          };
      for (EndpointSlice.Member member : slice.members()) {
        String address = member.addresses().isEmpty() ? "" : member.addresses().getFirst();
        endpoints.add(endpoint(address, 0, family, member, new EndpointUses.Use(false, "")));
      }
    }
    return new Port("", 0, "", 0, List.of(), endpoints);
  }

  /** As the object says it; empty where nothing is served. */
  private String policy(Traffic traffic) {
    return plan.ports().isEmpty()
        ? ""
        : plan.ports().getFirst().frontend().pool(traffic).toString();
  }

  private @Nullable Affinity affinity() {
    OptionalInt seconds = service.affinitySeconds();
    return seconds.isEmpty() ? null : new Affinity("ClientIP", seconds.getAsInt());
  }

  /** What the endpoints' hints are for. */
  private String distribution() {
    boolean zones = false;
    boolean nodes = false;
    for (ServicePlan.PortPlan port : plan.ports()) {
      for (EndpointCandidate candidate : port.candidates()) {
        zones |= !candidate.member().zoneHints().isEmpty();
        nodes |= !candidate.member().nodeHints().isEmpty();
      }
    }
    return nodes ? "hints for nodes" : zones ? "hints for zones" : "";
  }

  private Port port(Service.Port port) {
    List<Explanation> own = explanations.stream().filter(it -> isOf(port, it)).toList();
    return new Port(
        port.name(),
        port.port(),
        port.protocol().toString(),
        port.nodePort(),
        own.stream().map(ServiceAnswer::address).toList(),
        endpoints(port, new EndpointUses(own)));
  }

  private static boolean isOf(Service.Port port, Explanation explanation) {
    return explanation
        .service()
        .map(name -> name.port().equals(port.name()) && name.protocol() == port.protocol())
        .orElseGet(() ->
            port.nodePort() != 0
                && explanation
                    .subject()
                    .startsWith("nodePort " + port.nodePort() + "/" + port.protocol()));
  }

  private static Address address(Explanation explanation) {
    Optional<Destination> to = explanation.destination();
    return new Address(
        to.map(it -> it.address().withPort(it.port())).orElseGet(explanation::subject),
        to.flatMap(Destination::kind).orElse(ServiceAddress.Kind.NODE_PORT),
        to.map(it -> it.address().family()),
        explanation.verdict().name(),
        sentence(explanation),
        explanation.client(),
        explanation.from(),
        explanation.steps().stream().map(Step::text).toList());
  }

  /** What happens in a few words: how many endpoints, or why none. */
  static String sentence(Explanation explanation) {
    int chosen = explanation.endpoints().size();
    return explanation.verdict() == Verdict.FORWARD
        ? "forwarded to "
            + chosen
            + " of "
            + Counted.of(chosen + explanation.leftOut().size(), "endpoint")
        : explanation.steps().getLast().text();
  }

  private List<Member> endpoints(Service.Port port, EndpointUses uses) {
    List<Member> all = new ArrayList<>();
    for (ServicePlan.PortPlan of : plan.ports()) {
      if (of.frontend().name().port().equals(port.name())
          && of.frontend().name().protocol() == port.protocol()) {
        for (EndpointCandidate candidate : of.candidates()) {
          all.add(
              endpoint(
                  candidate.endpoint().address().toString(),
                  candidate.endpoint().port(),
                  of.frontend().family().toString(),
                  candidate.member(),
                  uses.of(candidate.endpoint().toString())));
        }
        for (ServiceDraft.PassedOver passed : of.draft().passedOver()) {
          all.add(
              endpoint(
                  passed.address(),
                  passed.port(),
                  of.frontend().family().toString(),
                  member(passed.slice(), passed.index()),
                  new EndpointUses.Use(false, passed.reason().sentence())));
        }
      }
    }
    return all;
  }

  private EndpointSlice.@Nullable Member member(NamespacedName slice, int index) {
    EndpointSlice found = decision.cluster().cluster().slices().get(slice);
    return found == null || index >= found.members().size() ? null : found.members().get(index);
  }

  /** The name of the object behind an endpoint; the kind is left out for a pod, the usual one. */
  static String pod(String target) {
    return target.startsWith(POD) ? target.substring(POD.length()) : target;
  }

  private static Member endpoint(
      String address,
      int port,
      String family,
      EndpointSlice.@Nullable Member member,
      EndpointUses.Use use) {
    Conditions conditions =
        member == null ? new Conditions(false, false, false) : member.conditions();
    return new Member(
        address,
        port,
        family,
        member == null ? "" : pod(member.target()),
        member == null ? "" : member.node(),
        member == null ? "" : member.zone(),
        conditions.ready(),
        conditions.serving(),
        conditions.terminating(),
        use);
  }
}
