package dev.portolan.web.answer;

import dev.portolan.brain.NodeDecision;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.fate.Turn;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import dev.portolan.web.state.NodeRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A node, and the services that look different from there than from most nodes. */
record NodeAnswer(long revision, NodeRow row, List<Service> services, int servicesLeftOut) {
  private static final int MOST_SERVICES = 200;

  /** What nodes differ in. */
  private static final List<Class<? extends Turn>> DIFFERENT =
      List.of(
          Turn.Listened.class,
          Turn.ByPolicy.class,
          Turn.Fallback.class,
          Turn.Chosen.class,
          Turn.Masqueraded.class);

  private record Service(NamespacedName id, String verdict, List<String> reasons) {}

  /** The answer about the node with {@code row}. */
  static NodeAnswer of(NodeDecision decision, NodeRow row, Dataplane dataplane) {
    NodeServices services = decision.image().services();
    Set<NamespacedName> special = new LinkedHashSet<>(dropped(services));
    Set<NamespacedName> others = new TreeSet<>();
    services.zone().forEach((name, _) -> others.add(name));
    services.node().forEach((name, _) -> others.add(name));
    special.addAll(others);
    Explainer explainer = new Explainer(decision, dataplane);
    List<Service> shown = new ArrayList<>();
    for (NamespacedName name : special) {
      if (shown.size() == MOST_SERVICES) {
        break;
      }
      shown.add(
          service(
              name,
              explainer.explain(
                  new Target.OfService(name, "", Optional.empty()), Optional.empty())));
    }
    return new NodeAnswer(decision.cluster().revision(), row, shown, special.size() - shown.size());
  }

  /** Services that have endpoints, but none here for traffic that must stay here. */
  private static List<NamespacedName> dropped(NodeServices services) {
    List<NamespacedName> found = new ArrayList<>();
    for (NodeService service : services) {
      if (service.ports().stream().anyMatch(NodeAnswer::drops)) {
        found.add(service.name());
      }
    }
    return found;
  }

  private static boolean drops(ServicePort port) {
    return port.routes().internal().verdict() == Verdict.DROP
        || port.routes().external().verdict() == Verdict.DROP;
  }

  private static Service service(NamespacedName name, List<Explanation> explanations) {
    Map<String, Set<String>> byReason = new LinkedHashMap<>();
    for (Explanation explanation : explanations) {
      byReason
          .computeIfAbsent(reasons(explanation), _ -> new LinkedHashSet<>())
          .add(
              explanation
                  .destination()
                  .flatMap(Destination::kind)
                  .map(ServiceAddress.Kind::toString)
                  .orElse(explanation.subject()));
    }
    return new Service(
        name,
        Explanation.worst(explanations).name(),
        byReason.entrySet().stream()
            .map(entry -> String.join(", ", entry.getValue()) + ": " + entry.getKey())
            .toList());
  }

  /** The steps that make the difference: policies, which endpoints are chosen, or why none is. */
  private static String reasons(Explanation explanation) {
    Step last = explanation.steps().getLast();
    boolean ends = explanation.verdict() != Verdict.FORWARD;
    return explanation.steps().stream()
        .filter(step ->
            (step.object().isPresent() && DIFFERENT.stream().anyMatch(step::isAbout))
                || (ends && step.equals(last)))
        .map(Step::text)
        .distinct()
        .collect(Collectors.joining("; "));
  }
}
