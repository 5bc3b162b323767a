package dev.portolan.brain.explain;

import dev.portolan.brain.ClusterDecision;
import dev.portolan.brain.NodeDecision;
import dev.portolan.brain.ServicePlan;
import dev.portolan.brain.explain.Explanation.Step;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Says what becomes of a new connection on a node, and why.
 *
 * <p>It follows the path that a packet takes through the rules: source ranges first, then the
 * service's address, then the verdicts for addresses without endpoints, unknown ports and
 * unallocated addresses.
 */
public final class Explainer {
  private final ClusterDecision decision;
  private final NodeImage image;
  private final NodeFacts facts;

  /** Explains what is decided for a node. */
  public Explainer(NodeDecision decision) {
    this(decision.cluster(), decision.image());
  }

  /** Explains {@code image}, whose services follow from {@code decision}. */
  public Explainer(ClusterDecision decision, NodeImage image) {
    this.decision = decision;
    this.image = image;
    this.facts = image.facts();
  }

  /**
   * Explains a target, in as many explanations as it has ports. A client that is not given is a pod
   * for a cluster IP, and an external client for every other address.
   */
  public List<Explanation> explain(Target target, Optional<Client> client) {
    return switch (target) {
      case Target.OfService service -> ofService(service, client);
      case Target.OfAddress address -> ofAddress(address, client);
      case Target.OfNodePort nodePort -> List.of(ofNodePort(nodePort, client));
    };
  }

  private List<Explanation> ofService(Target.OfService target, Optional<Client> client) {
    NamespacedName name = target.service();
    ObjectRef object = ObjectRef.service(name);
    String who = label(client, "a pod of this node");
    NodeService service = image.service(name);
    if (service == null) {
      return List.of(Explanation.none(name.toString(), who, List.of(whyMissing(name, object))));
    }
    IpFamily family = client.flatMap(Explainer::family).orElse(service.ports().getFirst().family());
    List<Explanation> found = new ArrayList<>();
    for (ServicePort port : service.ports()) {
      ServiceAddress clusterIp = port.clusterIp();
      boolean asked =
          target.port().isEmpty()
              || target.port().equals(port.name().port())
              || target.port().equals(Integer.toString(clusterIp.port()));
      if (asked
          && port.family() == family
          && target.protocol().filter(wanted -> wanted != port.name().protocol()).isEmpty()) {
        found.add(at(clusterIp.address(), clusterIp.port(), port.name().protocol(), client));
      }
    }
    if (found.isEmpty()) {
      String has = String.join(", ", service.ports().stream().map(Explainer::describe).toList());
      Step step = Step.of("the service has no such port; it has " + has, object, "spec.ports");
      String protocol = target.protocol().map(wanted -> "/" + wanted).orElse("");
      String port = target.port().isEmpty() ? "" : ":" + target.port();
      return List.of(Explanation.none(name + port + protocol, who, List.of(step)));
    }
    return found;
  }

  private Step whyMissing(NamespacedName name, ObjectRef object) {
    ServicePlan plan = decision.plans().get(name);
    if (plan == null) {
      return Step.of("the cluster has no " + object);
    }
    if (!plan.draft().skipped().isEmpty()) {
      return Step.of("the service is not proxied: " + plan.draft().skipped(), object, "spec");
    }
    List<String> causes = plan.warnings().stream().map(Warning::toString).toList();
    return Step.of(
        "the service has no port that can be served"
            + (causes.isEmpty() ? "" : ": " + String.join("; ", causes)),
        object,
        "spec.ports");
  }

  private List<Explanation> ofAddress(Target.OfAddress target, Optional<Client> client) {
    if (target.port() != 0) {
      return List.of(at(target.address(), target.port(), protocol(target), client));
    }
    List<Explanation> found = new ArrayList<>();
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        for (ServiceAddress address : port.addresses()) {
          if (!address.isNodePort()
              && address.address().equals(target.address())
              && target.protocol().filter(wanted -> wanted != port.name().protocol()).isEmpty()) {
            found.add(at(target.address(), address.port(), port.name().protocol(), client));
          }
        }
      }
    }
    return found.isEmpty()
        ? List.of(at(target.address(), 0, target.protocol().orElse(Protocol.TCP), client))
        : found;
  }

  /** The protocol asked for, else the first that is served. */
  private Protocol protocol(Target.OfAddress target) {
    if (target.protocol().isPresent()) {
      return target.protocol().get();
    }
    for (Protocol protocol : Protocol.values()) {
      if (ServedAddress.find(image, target.address(), target.port(), protocol).isPresent()) {
        return protocol;
      }
    }
    return Protocol.TCP;
  }

  private Explanation ofNodePort(Target.OfNodePort target, Optional<Client> client) {
    Optional<IpFamily> family = client.flatMap(Explainer::family);
    List<Ip> serving =
        facts.addresses().stream()
            .filter(ip -> family.isEmpty() || ip.family() == family.get())
            .filter(ip -> facts.servesNodePorts(ip))
            .toList();
    for (Ip ip : serving) {
      Target.OfAddress address = new Target.OfAddress(ip, target.port(), target.protocol());
      if (ServedAddress.find(image, ip, target.port(), protocol(address)).isPresent()) {
        return at(ip, target.port(), protocol(address), client);
      }
    }
    Optional<ServicePortName> owner = ownerOfNodePort(target);
    Step step =
        owner.isPresent() || serving.isEmpty()
            ? Step.of(
                owner.map(name -> "it is the nodePort of " + name + ", but ").orElse("")
                    + "nodePorts are served on IPv4 "
                    + facts.nodePorts(IpFamily.IPV4)
                    + " and IPv6 "
                    + facts.nodePorts(IpFamily.IPV6)
                    + ", and no address of the node fits (--nodeport-addresses)",
                ObjectRef.node(facts.name()),
                "status.addresses")
            : Step.of("no service has this nodePort");
    String protocol = target.protocol().map(wanted -> "/" + wanted).orElse("");
    return Explanation.none(
        "nodePort " + target.port() + protocol, label(client, "an external client"), List.of(step));
  }

  private Optional<ServicePortName> ownerOfNodePort(Target.OfNodePort target) {
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        if (port.nodePort() == target.port()
            && target.protocol().filter(wanted -> wanted != port.name().protocol()).isEmpty()) {
          return Optional.of(port.name());
        }
      }
    }
    return Optional.empty();
  }

  /** Follows a packet to an address. */
  private Explanation at(Ip address, int number, Protocol protocol, Optional<Client> asked) {
    asked
        .flatMap(Explainer::family)
        .filter(family -> family != address.family())
        .ifPresent(family -> {
          throw new IllegalArgumentException(
              "the client's address is "
                  + family
                  + " and the target's is "
                  + address.family()
                  + "; they must be of the same family");
        });
    boolean served = facts.families().contains(address.family());
    Optional<ServedAddress> found =
        served ? ServedAddress.find(image, address, number, protocol) : Optional.empty();
    boolean inside = found.map(it -> !it.address().isExternal()).orElse(true);
    Client client = asked.orElseGet(() -> inside ? new Client.Pod() : new Client.External());
    Origin origin = Origin.of(client, address.family(), facts);
    String subject = number == 0 ? address.toString() : address.withPort(number) + "/" + protocol;
    return found
        .map(it -> walk(subject, it, origin))
        .orElseGet(() ->
            served ? unanswered(subject, address, origin) : unserved(subject, address, origin));
  }

  private Explanation walk(String subject, ServedAddress served, Origin origin) {
    ServicePortName name = served.port().name();
    ServicePlan plan = Objects.requireNonNull(decision.plans().get(name.service()));
    ServicePlan.PortPlan port =
        plan.ports().stream()
            .filter(candidate -> candidate.frontend().name().equals(name))
            .filter(candidate -> candidate.frontend().family() == served.port().family())
            .findFirst()
            .orElseThrow();
    return new ServiceWalk(facts, plan.draft().service().ref(), port, served, origin)
        .explain(subject);
  }

  /** Of a family that the node does not serve there are no rules at all. */
  private static Explanation unserved(String subject, Ip address, Origin origin) {
    Step step = Step.of("this node does not serve " + address.family() + " (ipFamilyPolicy)");
    return ended(subject, origin, Verdict.NONE, List.of(step));
  }

  /** What the last rules do to an address and port that no service has. */
  private Explanation unanswered(String subject, Ip address, Origin origin) {
    List<Step> steps = new ArrayList<>();
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        if (port.clusterIp().address().equals(address)) {
          String ports =
              String.join(", ", service.ports().stream().map(Explainer::describe).toList());
          steps.add(
              Step.of(
                  address
                      + " is the cluster IP of "
                      + service.name()
                      + ", which has only the ports "
                      + ports,
                  ObjectRef.service(service.name()),
                  "spec.ports"));
          return ended(subject, origin, Verdict.REJECT, steps);
        }
      }
    }
    for (Cidr range : facts.serviceCidrs()) {
      if (range.contains(address)) {
        steps.add(
            Step.of(
                address
                    + " lies in the ServiceCIDR "
                    + range
                    + " but is not the cluster IP of any service"));
        return ended(subject, origin, Verdict.DROP, steps);
      }
    }
    if (facts.addresses().contains(address)) {
      boolean served = facts.servesNodePorts(address);
      steps.add(
          Step.of(
              served
                  ? "no service has this nodePort"
                  : "nodePorts are not served on "
                      + address
                      + ", only on "
                      + facts.nodePorts(address.family())
                      + " (--nodeport-addresses)",
              ObjectRef.node(facts.name()),
              "status.addresses"));
    } else {
      steps.add(notServed(address).orElse(Step.of("no service has this address and port")));
    }
    return ended(subject, origin, Verdict.NONE, steps);
  }

  private static Explanation ended(
      String subject, Origin origin, Verdict verdict, List<Step> steps) {
    return new Explanation(
        subject, origin.label(), Optional.empty(), verdict, List.of(), false, List.of(), steps);
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

  private String label(Optional<Client> client, String unsaid) {
    return client
        .map(given -> Origin.of(given, family(given).orElse(IpFamily.IPV4), facts).label())
        .orElse(unsaid);
  }

  private static Optional<IpFamily> family(Client client) {
    return client instanceof Client.At(Ip address)
        ? Optional.of(address.family())
        : Optional.empty();
  }

  private static String describe(ServicePort port) {
    String name = port.name().port();
    return (name.isEmpty() ? "" : name + " ")
        + port.clusterIp().port()
        + "/"
        + port.name().protocol();
  }
}
