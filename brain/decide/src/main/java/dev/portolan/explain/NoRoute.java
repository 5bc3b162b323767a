package dev.portolan.explain;

import dev.portolan.brain.ClusterDecision;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.fate.Elsewhere;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.fate.Fates;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the last rules do to an address and port that no service has on this node, and why. */
final class NoRoute {
  private final ClusterDecision decision;
  private final NodeImage image;
  private final NodeFacts facts;
  private final Dataplane dataplane;
  private final Fates fates;
  private final Origin origin;

  private record End(Verdict verdict, Step step) {}

  NoRoute(
      ClusterDecision decision, NodeImage image, Dataplane dataplane, Fates fates, Origin origin) {
    this.decision = decision;
    this.image = image;
    this.facts = image.facts();
    this.dataplane = dataplane;
    this.fates = fates;
    this.origin = origin;
  }

  Explanation explain(Destination to) {
    End end = end(to);
    return new Explanation(
        facts.name(),
        subject(to),
        Optional.of(to),
        origin.label(),
        origin.client().toString(),
        Optional.empty(),
        end.verdict,
        List.of(),
        false,
        List.of(),
        List.of(end.step));
  }

  /** {@code address:port/PROTOCOL}; the address alone where no port was asked for. */
  static String subject(Destination to) {
    return to.port() == 0
        ? to.address().toString()
        : to.address().withPort(to.port()) + "/" + to.protocol();
  }

  /** Whether {@code address} is a cluster IP, or may become one. */
  static boolean isClusterIp(NodeImage image, Ip address) {
    return clusterIpOf(image, address).isPresent()
        || image.facts().serviceCidrs().stream().anyMatch(range -> range.contains(address));
  }

  private static Optional<NodeService> clusterIpOf(NodeImage image, Ip address) {
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        if (port.clusterIp().address().equals(address)) {
          return Optional.of(service);
        }
      }
    }
    return Optional.empty();
  }

  /** Who answers at {@code port}, if it is where load balancers check a service. */
  static Optional<Step> healthCheck(NodeImage image, int port) {
    for (NodeService service : image.services()) {
      if (port != 0 && service.healthCheckNodePort() == port) {
        int ready = service.localReadyEndpoints();
        return Optional.of(
            Step.of(
                port
                    + " is the health-check nodePort of "
                    + service.name()
                    + ": the proxy itself answers load balancers there, now with HTTP "
                    + (ready > 0 ? "200" : "503")
                    + " ("
                    + (ready > 0 ? ready : "no")
                    + " ready endpoint"
                    + (ready > 1 ? "s" : "")
                    + " on this node)",
                ObjectRef.service(service.name()),
                "spec.healthCheckNodePort"));
      }
    }
    return Optional.empty();
  }

  private End end(Destination to) {
    Ip address = to.address();
    if (!facts.families().contains(address.family())) {
      return none(Step.of("this node does not serve " + address.family() + " (ipFamilyPolicy)"));
    }
    Optional<NodeService> owner = clusterIpOf(image, address);
    if (owner.isPresent()) {
      return guarded(
          dataplane.unusedPort(),
          address
              + " is the cluster IP of "
              + owner.get().name()
              + ", which has only the ports "
              + Explainer.describe(owner.get()),
          Optional.of(ObjectRef.service(owner.get().name())),
          "spec.ports");
    }
    Optional<String> range =
        facts.serviceCidrs().stream()
            .filter(cidr -> cidr.contains(address))
            .map(cidr -> address + " lies in the ServiceCIDR " + cidr)
            .findFirst();
    if (range.isPresent()) {
      return guarded(
          dataplane.unassigned(),
          range.get() + " but is not the cluster IP of any service",
          Optional.empty(),
          "");
    }
    if (address.isLoopback() && !origin.known().host()) {
      return none(Step.of(address + " never leaves the client"));
    }
    Optional<ServicePort> bound =
        dataplane.carriesAddresses() && !facts.addresses().contains(address)
            ? externalIpOf(address)
            : Optional.empty();
    if (bound.isPresent()) {
      return new End(
          Verdict.REJECT,
          Step.of(
              address
                  + " is an address of "
                  + bound.get().name().service()
                  + " on the device of mode "
                  + dataplane.name()
                  + ", without this port",
              ObjectRef.service(bound.get().name().service()),
              "spec.ports"));
    }
    return facts.addresses().contains(address) || address.isLoopback()
        ? onNode(to)
        : none(
            notServed(address)
                .or(() -> otherNode(to))
                .orElseGet(() -> Step.of("no service has this address and port")));
  }

  /** A service port that has an external address, whatever the port. */
  private Optional<ServicePort> externalIpOf(Ip address) {
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        if (port.addresses().stream()
            .anyMatch(one -> !one.isNodePort() && one.address().equals(address))) {
          return Optional.of(port);
        }
      }
    }
    return Optional.empty();
  }

  /** An end that only some dataplanes put to a connection. */
  private End guarded(Verdict verdict, String why, Optional<ObjectRef> object, String field) {
    return verdict != Verdict.NONE
        ? new End(verdict, new Step(why, object, field, ""))
        : none(
            new Step(
                why
                    + "; the mode "
                    + dataplane.name()
                    + " has no rule for that, so it is routed like any other address",
                object,
                field,
                ""));
  }

  /** A port of the node itself that is not served there. */
  private End onNode(Destination to) {
    Ip address = to.address();
    ObjectRef node = ObjectRef.node(facts.name());
    Optional<ServicePort> owner =
        ServedAddress.ofNodePort(image, address.family(), to.port(), to.protocol())
            .map(ServedAddress::port);
    if (owner.isEmpty()) {
      return none(
          healthCheck(image, to.port())
              .orElseGet(() -> Step.of("no service has this nodePort", node, "status.addresses")));
    }
    String its = to.port() + " is the nodePort of " + owner.get().name() + ", but ";
    Elsewhere elsewhere = fates.elsewhere(owner.get(), address);
    String text =
        switch (elsewhere) {
          case Elsewhere.NotServed() -> its + notServing(address);
          case Elsewhere.NotOnLocalhost() ->
              its
                  + "the daemon does not listen for it on "
                  + address.family()
                  + " loopback addresses ("
                  + (to.protocol() == Protocol.TCP
                      ? "--nodeport-addresses names none"
                      : "only for TCP")
                  + "), and the rules reject it there";
          case Elsewhere.Ended _ ->
              its
                  + notServing(address)
                  + "; the mode "
                  + dataplane.name()
                  + " ends connections to a nodePort without endpoints on every address of the"
                  + " node";
        };
    return new End(elsewhere.verdict(), Step.of(text, node, "status.addresses"));
  }

  /** That a nodePort is not served on {@code address}. */
  private String notServing(Ip address) {
    if (!address.isLoopback()) {
      return "nodePorts are not served on "
          + address
          + ", only on "
          + facts.nodePorts(address.family())
          + " (--nodeport-addresses)";
    }
    return "the rules"
        + (dataplane.name().isEmpty() ? "" : " of mode " + dataplane.name())
        + " do not serve nodePorts on loopback addresses"
        + (dataplane.servesLocalhost() ? " (--nodeport-addresses)" : "");
  }

  /** That the address is another node's, whose rules are asked there. */
  private Optional<Step> otherNode(Destination to) {
    for (Map.Entry<String, Node> entry : decision.cluster().nodes()) {
      Node node = entry.getValue();
      boolean its =
          Stream.concat(node.internalIps().stream(), node.externalIps().stream())
              .anyMatch(text -> Ip.parse(text).equals(Optional.of(to.address())));
      if (its) {
        String port =
            ServedAddress.ofNodePort(image, to.address().family(), to.port(), to.protocol())
                .map(served ->
                    ", and " + to.port() + " is the nodePort of " + served.port().name() + " there")
                .orElse("");
        return Optional.of(
            Step.of(
                to.address()
                    + " is an address of node "
                    + node.name()
                    + port
                    + "; this node only routes to it, so ask about that one (--node "
                    + node.name()
                    + ")",
                node.ref(),
                "status.addresses"));
      }
    }
    return Optional.empty();
  }

  /** Why an address that a service has is not served: a setting, or the load balancer itself. */
  private Optional<Step> notServed(Ip address) {
    for (Map.Entry<NamespacedName, Service> entry : decision.cluster().services()) {
      Service service = entry.getValue();
      if (!decision.settings().allowExternalIps() && has(service.externalIps(), address)) {
        return Optional.of(
            Step.of(
                address + " is an external IP, and these are not served (AllowServiceExternalIPs)",
                service.ref(),
                "spec.externalIPs"));
      }
      List<Service.Ingress> ingress = service.ingress();
      for (int i = 0; i < ingress.size(); i++) {
        if (!ingress.get(i).vip() && Ip.parse(ingress.get(i).ip()).equals(Optional.of(address))) {
          return Optional.of(
              Step.of(
                  address + " is left to the load balancer: its ipMode is Proxy",
                  service.ref(),
                  "status.loadBalancer.ingress[" + i + "].ipMode"));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean has(List<String> texts, Ip address) {
    return texts.stream().anyMatch(text -> Ip.parse(text).equals(Optional.of(address)));
  }

  private static End none(Step step) {
    return new End(Verdict.NONE, step);
  }
}
