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
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import dev.portolan.web.state.ServiceRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A service as one node sees it, with the reasons of the explainer. */
final class ServiceAnswer {
  private static final String POD = "Pod ";

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
  Map<String, Object> tree(ServiceRow row) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("revision", decision.cluster().revision());
    tree.put("row", row.tree());
    tree.put("node", decision.image().facts().name());
    tree.put("sessionAffinity", affinity());
    tree.put("trafficDistribution", distribution());
    tree.put("internalPolicy", policy(Traffic.INTERNAL));
    tree.put("externalPolicy", policy(Traffic.EXTERNAL));
    tree.put("healthCheckNodePort", plan.draft().healthCheckNodePort());
    tree.put("sourceRanges", service.sourceRanges());
    tree.put("skipped", plan.draft().skipped());
    tree.put("warnings", plan.warnings().stream().map(Warning::toString).toList());
    tree.put(
        "ports",
        plan.draft().skipped().isEmpty()
            ? service.ports().stream().map(this::port).toList()
            : List.of(unproxied()));
    return tree;
  }

  /** What DNS, and other proxies that find the endpoints by themselves, use. */
  private Map<String, Object> unproxied() {
    List<Map<String, Object>> endpoints = new ArrayList<>();
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
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", "");
    tree.put("port", 0);
    tree.put("protocol", "");
    tree.put("nodePort", 0);
    tree.put("addresses", List.of());
    tree.put("endpoints", endpoints);
    return tree;
  }

  /** As the object says it; empty where nothing is served. */
  private String policy(Traffic traffic) {
    return plan.ports().isEmpty()
        ? ""
        : plan.ports().getFirst().frontend().pool(traffic).toString();
  }

  private @Nullable Map<String, Object> affinity() {
    if (service.affinitySeconds().isEmpty()) {
      return null;
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("type", "ClientIP");
    tree.put("timeoutSeconds", service.affinitySeconds().getAsInt());
    return tree;
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

  private Map<String, Object> port(Service.Port port) {
    List<Explanation> own = explanations.stream().filter(it -> isOf(port, it)).toList();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", port.name());
    tree.put("port", port.port());
    tree.put("protocol", port.protocol().toString());
    tree.put("nodePort", port.nodePort());
    tree.put("addresses", own.stream().map(ServiceAnswer::address).toList());
    tree.put("endpoints", endpoints(port, new EndpointUses(own)));
    return tree;
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

  private static Map<String, Object> address(Explanation explanation) {
    Optional<Destination> to = explanation.destination();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put(
        "address", to.map(it -> it.address().withPort(it.port())).orElseGet(explanation::subject));
    tree.put(
        "kind",
        to.flatMap(Destination::kind)
            .map(ServiceAddress.Kind::toString)
            .orElse(ServiceAddress.Kind.NODE_PORT.toString()));
    tree.put("family", to.map(it -> it.address().family().toString()).orElse(""));
    tree.put("verdict", explanation.verdict().name());
    tree.put("sentence", sentence(explanation));
    tree.put("from", explanation.client());
    tree.put("client", explanation.from());
    tree.put("steps", explanation.steps().stream().map(Step::text).toList());
    return tree;
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

  private List<Map<String, Object>> endpoints(Service.Port port, EndpointUses uses) {
    List<Map<String, Object>> all = new ArrayList<>();
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

  private static Map<String, Object> endpoint(
      String address,
      int port,
      String family,
      EndpointSlice.@Nullable Member member,
      EndpointUses.Use use) {
    Conditions conditions =
        member == null ? new Conditions(false, false, false) : member.conditions();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("address", address);
    tree.put("port", port);
    tree.put("family", family);
    tree.put("pod", member == null ? "" : pod(member.target()));
    tree.put("node", member == null ? "" : member.node());
    tree.put("zone", member == null ? "" : member.zone());
    tree.put("ready", conditions.ready());
    tree.put("serving", conditions.serving());
    tree.put("terminating", conditions.terminating());
    tree.put("used", use.used());
    tree.put("why", use.why());
    return tree;
  }
}
