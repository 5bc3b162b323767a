package dev.portolan.analyze.policies;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.text.Counted;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Services whose traffic must stay on a node, and that have endpoints on some nodes only. */
public final class LocalPolicies implements Check {
  private static final int MOST_NODES = 3;
  private static final String EXTERNAL = "spec.externalTrafficPolicy";
  private static final String INTERNAL = "spec.internalTrafficPolicy";

  private static final KnownMistake CHECKED =
      KnownMistake.info("P0501", "externalTrafficPolicy Local with endpoints on few nodes")
          .seen(
              "a load balancer that checks nodes uses only those; with one that does not, a part"
                  + " of the connections is dropped")
          .remedy("make sure that the load balancer uses the healthCheckNodePort")
          .because(
              """
              With externalTrafficPolicy Local a node forwards connections from outside only to its \
              own endpoints, and drops them where it has none. In return the client's address is \
              kept. A load balancer is meant to ask each node at the healthCheckNodePort, and to use \
              only nodes that answer 200. Load is spread over nodes, not over Pods: a node with one \
              Pod gets as much as one with ten.\
              """);

  private static final KnownMistake UNCHECKED =
      KnownMistake.warning("P0502", "Local without health checks, and endpoints on few nodes")
          .seen("connections from outside to the other nodes are dropped: clients time out")
          .remedy(
              "run the Pods on all nodes that get traffic (a DaemonSet), or set"
                  + " externalTrafficPolicy Cluster")
          .because(
              """
              With externalTrafficPolicy Local a node drops connections from outside if it has no \
              endpoint itself. NodePorts and external IPs have no health check by which clients or \
              routers could avoid such nodes: the healthCheckNodePort exists for services of type \
              LoadBalancer only. Clients that use such a node's address wait for a timeout.\
              """);

  private static final KnownMistake PODS =
      KnownMistake.warning("P0503", "internalTrafficPolicy Local with endpoints on few nodes")
          .seen(
              "connections from Pods on the other nodes to the cluster IP are dropped: they time"
                  + " out")
          .remedy(
              "run the endpoints on all nodes (a DaemonSet), or use trafficDistribution"
                  + " PreferSameNode, which falls back to other nodes")
          .because(
              """
              With internalTrafficPolicy Local connections to the cluster IP go only to endpoints on \
              the client's own node. Where there is none they are dropped, even though endpoints \
              elsewhere are ready. No health check helps, as Pods do not choose their node by it. \
              The policy is meant for agents that run on every node.\
              """);

  private static final KnownMistake NOWHERE =
      KnownMistake.error("P0504", "Local, and no endpoint says on which node it is")
          .seen("connections are dropped on every node: clients time out")
          .remedy("write nodeName in the EndpointSlice, or set the policy to Cluster")
          .because(
              """
              A Local policy compares the nodeName of endpoints with the proxy's own node. Slices \
              that are written by hand often have no nodeName, and endpoints outside the cluster \
              cannot have one: then no endpoint is local anywhere.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(CHECKED, UNCHECKED, PODS, NOWHERE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    for (ServicePlan plan : survey.served()) {
      look(survey, plan, true, findings);
      look(survey, plan, false, findings);
    }
  }

  /** Looks at the first port that is concerned; the others rarely differ. */
  private static void look(
      Survey survey, ServicePlan plan, boolean external, Consumer<ClusterFinding> findings) {
    for (ServicePlan.PortPlan port : plan.ports()) {
      boolean local =
          external
              ? port.frontend().externalPolicy() == TrafficPolicy.LOCAL
                  && port.frontend().addresses().getLast().isExternal()
              : port.frontend().internalPolicy() == TrafficPolicy.LOCAL;
      List<EndpointCandidate> usable =
          port.candidates().stream().filter(LocalPolicies::isUsable).toList();
      if (!local || usable.isEmpty()) {
        continue;
      }
      String field = external ? EXTERNAL : INTERNAL;
      if (usable.stream().allMatch(one -> one.endpoint().node().isEmpty())) {
        findings.accept(
            NOWHERE.in(
                plan.draft().service().ref(),
                field,
                "Local, and none of " + Counted.of(usable.size(), "endpoint") + " has a nodeName"));
        return;
      }
      Set<String> nodes = new TreeSet<>();
      usable.forEach(one -> nodes.add(one.endpoint().node()));
      nodes.removeIf(node -> !survey.cluster().nodes().containsKey(node));
      int all = (int) survey.nodes().stream().filter(node -> !node.leaving()).count();
      if (nodes.size() < all) {
        findings.accept(
            mistake(plan, external)
                .in(plan.draft().service().ref(), field, "Local, and " + words(nodes, all)));
      }
      return;
    }
  }

  private static KnownMistake mistake(ServicePlan plan, boolean external) {
    if (!external) {
      return PODS;
    }
    boolean otherAddresses =
        plan.ports().stream()
            .flatMap(port -> port.frontend().addresses().stream())
            .anyMatch(address -> address.kind() == ServiceAddress.Kind.EXTERNAL_IP);
    return plan.draft().service().type() == ServiceType.LOAD_BALANCER
            && plan.draft().healthCheckNodePort() != 0
            && !otherAddresses
        ? CHECKED
        : UNCHECKED;
  }

  private static boolean isUsable(EndpointCandidate one) {
    return one.conditions().ready()
        || (one.conditions().serving() && one.conditions().terminating());
  }

  private static String words(Set<String> nodes, int all) {
    String some = String.join(", ", nodes.stream().limit(MOST_NODES).toList());
    return "only "
        + nodes.size()
        + " of "
        + Counted.of(all, "node")
        + (nodes.size() == 1 ? " has" : " have")
        + " an endpoint"
        + (nodes.isEmpty() ? "" : " (" + some + (nodes.size() > MOST_NODES ? ", …)" : ")"));
  }
}
