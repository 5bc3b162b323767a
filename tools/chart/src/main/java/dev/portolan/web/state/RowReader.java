package dev.portolan.web.state;

import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.Frontend;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.text.Counted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says how a service fares, from what is decided about it for all nodes. */
final class RowReader {
  private final ServicePlan plan;
  private final PersistentMap<String, Node> nodes;
  private final List<EndpointSlice> slices;
  private ServiceState state = ServiceState.NONE;
  private String why = "";

  private RowReader(
      ServicePlan plan, PersistentMap<String, Node> nodes, List<EndpointSlice> slices) {
    this.plan = plan;
    this.nodes = nodes;
    this.slices = slices;
  }

  /**
   * The row of a service in a cluster with {@code nodes}.
   *
   * @param slices those of a service that is not proxied; the plan has what counts of the others
   */
  static ServiceRow read(
      ServicePlan plan, PersistentMap<String, Node> nodes, List<EndpointSlice> slices) {
    return new RowReader(plan, nodes, slices).row();
  }

  /** Whether the row may be another one where the cluster has other nodes. */
  static boolean dependsOnNodes(ServicePlan plan) {
    return plan.ports().stream()
        .anyMatch(port ->
            isLocal(port.frontend(), Traffic.INTERNAL)
                || isLocal(port.frontend(), Traffic.EXTERNAL));
  }

  /** Whether only endpoints on the same node may receive {@code traffic}. */
  private static boolean isLocal(Frontend frontend, Traffic traffic) {
    boolean reachable = traffic == Traffic.INTERNAL || frontend.addresses().getLast().isExternal();
    return reachable && frontend.pool(traffic) == Pool.LOCAL;
  }

  private ServiceRow row() {
    Service service = plan.draft().service();
    Map<String, Conditions> endpoints = endpoints();
    judge(endpoints);
    return new ServiceRow(
        service.name(),
        isHeadless(service) ? "Headless" : service.type().toString(),
        state,
        why,
        service.ports().stream()
            .map(port -> port.port() + "/" + port.protocol())
            .collect(Collectors.joining(", ")),
        addresses(service),
        endpoints.size(),
        (int) endpoints.values().stream().filter(Conditions::ready).count(),
        (int) endpoints.values().stream().filter(Conditions::terminating).count(),
        policy(),
        service.affinitySeconds().isPresent());
  }

  private static boolean isHeadless(Service service) {
    return !service.clusterIps().isEmpty() && service.clusterIps().getFirst().equals("None");
  }

  /** The health of each endpoint; a pod that has several ports or addresses is one. */
  private Map<String, Conditions> endpoints() {
    Map<String, Conditions> found = new HashMap<>();
    for (ServicePlan.PortPlan port : plan.ports()) {
      for (EndpointCandidate candidate : port.candidates()) {
        String target = candidate.member().target();
        found.putIfAbsent(
            target.isEmpty() ? candidate.endpoint().address().toString() : target,
            candidate.conditions());
      }
    }
    for (EndpointSlice slice : slices) {
      for (EndpointSlice.Member member : slice.members()) {
        String address = member.addresses().isEmpty() ? "" : member.addresses().getFirst();
        found.putIfAbsent(
            member.target().isEmpty() ? address : member.target(), member.conditions());
      }
    }
    return found;
  }

  private void judge(Map<String, Conditions> endpoints) {
    if (plan.ports().isEmpty()) {
      List<Warning> warnings = plan.warnings();
      why =
          !plan.draft().skipped().isEmpty()
              ? "not proxied: " + plan.draft().skipped()
              : warnings.isEmpty() ? "no port can be served" : text(warnings.getFirst());
      return;
    }
    state = ServiceState.SERVED;
    plan.ports().forEach(this::judge);
    long unready =
        endpoints.values().stream().filter(it -> !it.ready() && !it.terminating()).count();
    if (unready > 0) {
      worsen(
          ServiceState.DEGRADED,
          unready
              + " of "
              + Counted.of(endpoints.size(), "endpoint")
              + (unready == 1 ? " is" : " are")
              + " not ready");
    }
    if (!plan.warnings().isEmpty()) {
      worsen(ServiceState.DEGRADED, text(plan.warnings().getFirst()));
    }
  }

  private static String text(Warning warning) {
    return (warning.field().isEmpty() ? "" : warning.field() + ": ") + warning.text();
  }

  private void judge(ServicePlan.PortPlan port) {
    List<EndpointCandidate> candidates = port.candidates();
    String name =
        plan.draft().service().ports().size() == 1 ? "" : "port " + label(port.frontend()) + ": ";
    List<EndpointCandidate> usable =
        candidates.stream().filter(candidate -> isUsable(candidate.conditions())).toList();
    if (usable.isEmpty()) {
      worsen(
          ServiceState.REFUSED,
          name
              + (!candidates.isEmpty()
                  ? "none of " + Counted.of(candidates.size(), "endpoint") + " is ready"
                  : port.draft().mismatch().isEmpty() ? "no endpoints" : port.draft().mismatch()));
      return;
    }
    judgePolicies(port.frontend(), usable, name);
    if (usable.stream().noneMatch(candidate -> candidate.conditions().ready())) {
      worsen(ServiceState.DEGRADED, name + "only terminating endpoints are left");
    }
  }

  /** Nodes without an endpoint of their own drop what a policy keeps to them. */
  private void judgePolicies(Frontend frontend, List<EndpointCandidate> usable, String name) {
    boolean external = isLocal(frontend, Traffic.EXTERNAL);
    boolean internal = isLocal(frontend, Traffic.INTERNAL);
    if (nodes.isEmpty() || !(internal || external)) {
      return;
    }
    Set<String> with = new HashSet<>();
    for (EndpointCandidate candidate : usable) {
      if (nodes.containsKey(candidate.endpoint().node())) {
        with.add(candidate.endpoint().node());
      }
    }
    String policy = (internal ? "internal" : "external") + "TrafficPolicy Local: ";
    int without = nodes.size() - with.size();
    if (with.isEmpty()) {
      worsen(
          ServiceState.DROPPED,
          name
              + policy
              + "no endpoint on "
              + (nodes.size() == 1 ? nodes.iterator().next().getKey() : "any node"));
    } else if (without > 0 && (internal || plan.draft().healthCheckNodePort() == 0)) {
      // Where there is a health check, load balancers leave such nodes out by themselves.
      worsen(
          ServiceState.DEGRADED,
          name
              + policy
              + without
              + " of "
              + Counted.of(nodes.size(), "node")
              + " without endpoint");
    }
  }

  private static boolean isUsable(Conditions conditions) {
    return conditions.ready() || (conditions.serving() && conditions.terminating());
  }

  private static String label(Frontend frontend) {
    String name = frontend.name().port();
    return name.isEmpty()
        ? frontend.addresses().getFirst().port() + "/" + frontend.name().protocol()
        : name;
  }

  /** The first of the worst things is shown. */
  private void worsen(ServiceState worse, String sentence) {
    if (worse.compareTo(state) > 0) {
      state = worse;
      why = sentence;
    }
  }

  private static List<String> addresses(Service service) {
    List<String> all = new ArrayList<>();
    Stream.of(
            service.clusterIps().stream(),
            service.externalIps().stream(),
            service.ingress().stream().map(Service.Ingress::ip))
        .flatMap(some -> some)
        .filter(text -> Ip.parse(text).isPresent())
        .distinct()
        .forEach(all::add);
    return all;
  }

  private String policy() {
    List<String> local = new ArrayList<>();
    for (Traffic traffic : List.of(Traffic.INTERNAL, Traffic.EXTERNAL)) {
      if (plan.ports().stream().anyMatch(port -> isLocal(port.frontend(), traffic))) {
        local.add((traffic == Traffic.INTERNAL ? "internal" : "external") + " Local");
      }
    }
    return String.join(", ", local);
  }
}
