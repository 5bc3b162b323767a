package dev.portolan.explain;

import dev.portolan.brain.ClusterDecision;
import dev.portolan.brain.NodeDecision;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.fate.Fate;
import dev.portolan.core.fate.Fates;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says what becomes of a new connection on a node, and why.
 *
 * <p>What becomes of a connection to a service is its {@link Fate}; here it gets words, and the
 * reasons for each endpoint. What becomes of others, {@link NoRoute} says.
 */
public final class Explainer {
  private final ClusterDecision decision;
  private final NodeImage image;
  private final NodeFacts facts;
  private final Dataplane dataplane;
  private final Fates fates;

  /** Explains what is decided for a node, and what a dataplane does that follows it exactly. */
  public Explainer(NodeDecision decision) {
    this(decision, Dataplane.EXACT);
  }

  /** Explains what {@code dataplane} does with what is decided for a node. */
  public Explainer(NodeDecision decision, Dataplane dataplane) {
    this.decision = decision.cluster();
    this.image = decision.image();
    this.facts = image.facts();
    this.dataplane = dataplane;
    this.fates = new Fates(facts, dataplane);
  }

  /**
   * Explains a target, in as many explanations as it has addresses and ports on this node. The
   * default client is a pod for a cluster IP, the node for a loopback address, and otherwise an
   * external client: one that source ranges allow, if there are any.
   */
  public List<Explanation> explain(Target target, Optional<Client> client) {
    if (client.isPresent() && client.get() instanceof Client.NamedPod(NamespacedName pod)) {
      String node = PodAddresses.find(pod, decision.cluster()).node();
      if (!node.isEmpty() && !node.equals(facts.name())) {
        throw new IllegalArgumentException(
            "the pod "
                + pod
                + " runs on node "
                + node
                + ", not on "
                + facts.name()
                + "; ask about that node (--node "
                + node
                + ")");
      }
    }
    return switch (target) {
      case Target.OfService service -> ofService(service, client);
      case Target.OfAddress address -> ofAddress(address, client);
      case Target.OfNodePort nodePort -> ofNodePort(nodePort, client);
    };
  }

  private List<Explanation> ofService(Target.OfService target, Optional<Client> client) {
    NamespacedName name = target.service();
    ObjectRef object = ObjectRef.service(name);
    NodeService service = image.service(name);
    if (service == null) {
      return List.of(none(name.toString(), client, new Client.Pod(), whyMissing(name, object)));
    }
    List<ServicePort> asked =
        service.ports().stream()
            .filter(port ->
                target.port().isEmpty()
                    || target.port().equals(port.name().port())
                    || target.port().equals(Integer.toString(port.clusterIp().port())))
            .filter(port -> isAsked(target.protocol(), port))
            .toList();
    Set<IpFamily> families = families(client);
    List<Explanation> found = new ArrayList<>();
    for (ServicePort port : withServedFamilies(asked)) {
      if (families.contains(port.family())) {
        for (ServiceAddress address : port.addresses()) {
          if (address.isNodePort()) {
            found.addAll(onNodePort(port, client));
          } else {
            found.add(at(address.address(), address.port(), port.name().protocol(), client));
          }
        }
      }
    }
    if (found.isEmpty()) {
      Step step =
          asked.isEmpty()
              ? Step.of(
                  "the service has no such port; it has " + describe(service), object, "spec.ports")
              : Step.of(
                  "the service has no " + families.iterator().next() + " address",
                  object,
                  "spec.clusterIPs");
      String protocol = target.protocol().map(wanted -> "/" + wanted).orElse("");
      String port = target.port().isEmpty() ? "" : ":" + target.port();
      return List.of(none(name + port + protocol, client, new Client.Pod(), step));
    }
    return found;
  }

  /** The ports of families that the node serves, if there are any. */
  private List<ServicePort> withServedFamilies(List<ServicePort> ports) {
    List<ServicePort> served =
        ports.stream().filter(port -> facts.families().contains(port.family())).toList();
    return served.isEmpty() ? ports : served;
  }

  private Step whyMissing(NamespacedName name, ObjectRef object) {
    ServicePlan plan = decision.plans().get(name);
    if (plan == null) {
      // A daemon does not read those that are headless or another proxy's.
      return Step.of("the cluster has no " + object + " that a proxy serves");
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
    Set<Protocol> protocols = target.protocol().map(Set::of).orElse(Set.of(Protocol.values()));
    List<Explanation> found = new ArrayList<>();
    if (target.port() != 0) {
      for (Protocol protocol : Protocol.values()) {
        if (protocols.contains(protocol)
            && find(target.address(), target.port(), protocol).isPresent()) {
          found.add(at(target.address(), target.port(), protocol, client));
        }
      }
    } else {
      for (NodeService service : image.services()) {
        for (ServicePort port : service.ports()) {
          for (ServiceAddress address : port.addresses()) {
            if (!address.isNodePort()
                && address.address().equals(target.address())
                && isAsked(target.protocol(), port)) {
              found.add(at(target.address(), address.port(), port.name().protocol(), client));
            }
          }
        }
      }
    }
    Protocol usual = target.protocol().orElse(Protocol.TCP);
    return found.isEmpty() ? List.of(at(target.address(), target.port(), usual, client)) : found;
  }

  private List<Explanation> ofNodePort(Target.OfNodePort target, Optional<Client> client) {
    Set<IpFamily> families = families(client);
    List<ServicePort> owners = new ArrayList<>();
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        if (port.nodePort() == target.port()
            && families.contains(port.family())
            && isAsked(target.protocol(), port)) {
          owners.add(port);
        }
      }
    }
    List<Explanation> found = new ArrayList<>();
    for (ServicePort owner : withServedFamilies(owners)) {
      found.addAll(onNodePort(owner, client));
    }
    if (!found.isEmpty()) {
      return found;
    }
    String protocol = target.protocol().map(wanted -> "/" + wanted).orElse("");
    Step step =
        NoRoute.healthCheck(image, target.port())
            .orElseGet(() ->
                owners.isEmpty()
                    ? Step.of("no service has this nodePort")
                    : unfit(owners.getFirst()));
    return List.of(
        none("nodePort " + target.port() + protocol, client, new Client.External(), step));
  }

  /** A nodePort on each address that serves it; the family of a node without one says nothing. */
  private List<Explanation> onNodePort(ServicePort port, Optional<Client> client) {
    List<Explanation> found = new ArrayList<>();
    List<Ip> own = facts.addresses().stream().filter(ip -> ip.family() == port.family()).toList();
    for (Ip ip : own) {
      if (facts.servesNodePorts(ip)) {
        found.add(at(ip, port.nodePort(), port.name().protocol(), client));
      }
    }
    boolean fromNode = client.isEmpty() || client.get() instanceof Client.Host;
    Protocol protocol = port.name().protocol();
    for (Ip localhost : Dataplane.LOCALHOST) {
      if (fromNode
          && port.family() == localhost.family()
          && fates.servesNodePorts(localhost, protocol)) {
        found.add(at(localhost, port.nodePort(), protocol, client));
      }
    }
    if (found.isEmpty() && !own.isEmpty()) {
      String subject =
          "nodePort " + port.nodePort() + "/" + port.name().protocol() + " on " + port.family();
      found.add(none(subject, client, new Client.External(), unfit(port)));
    }
    return found;
  }

  private Step unfit(ServicePort owner) {
    return Step.of(
        "it is the nodePort of "
            + owner.name()
            + ", but "
            + owner.family()
            + " nodePorts are served on "
            + facts.nodePorts(owner.family())
            + ", and no address of the node fits (--nodeport-addresses)",
        ObjectRef.node(facts.name()),
        "status.addresses");
  }

  private Optional<ServedAddress> find(Ip address, int number, Protocol protocol) {
    return facts.families().contains(address.family())
        ? ServedAddress.find(image, fates, address, number, protocol)
        : Optional.empty();
  }

  /** Follows a packet to an address. */
  private Explanation at(Ip address, int number, Protocol protocol, Optional<Client> asked) {
    if (!families(asked).contains(address.family())) {
      throw new IllegalArgumentException(
          "the client's address is "
              + families(asked).iterator().next()
              + " and the target's is "
              + address.family()
              + "; they must be of the same family");
    }
    Optional<ServedAddress> found = find(address, number, protocol);
    Client client = asked.orElseGet(() -> usualClient(address, found));
    Origin origin = Origin.of(client, address.family(), facts, decision.cluster());
    Destination destination =
        new Destination(address, number, protocol, found.map(it -> it.address().kind()));
    return found
        .map(served -> explain(destination, served, origin))
        .orElseGet(
            () -> new NoRoute(decision, image, dataplane, fates, origin).explain(destination));
  }

  /** Who is most likely to use an address: one that may, if it is a load balancer's. */
  private Client usualClient(Ip address, Optional<ServedAddress> found) {
    if (address.isLoopback()) {
      return new Client.Host();
    }
    boolean inside =
        found
            .map(it -> !it.address().isExternal())
            .orElseGet(() -> NoRoute.isClusterIp(image, address));
    if (inside) {
      return new Client.Pod();
    }
    return found.stream()
        .flatMap(it -> it.port().sourceRanges(it.address()).stream())
        .findFirst()
        .<Client>map(Client.Within::new)
        .orElseGet(Client.External::new);
  }

  private Explanation explain(Destination to, ServedAddress served, Origin origin) {
    ServicePlan plan = Objects.requireNonNull(decision.plans().get(served.port().name().service()));
    Fate fate = fates.of(origin.known(), served.port(), served.address(), to.address());
    return new TurnWords(facts, dataplane, plan, served, origin, fate, to).explain();
  }

  private Explanation none(String subject, Optional<Client> asked, Client usual, Step step) {
    Client client = asked.orElse(usual);
    Origin origin = Origin.of(client, families(asked).iterator().next(), facts, decision.cluster());
    return new Explanation(
        facts.name(),
        subject,
        Optional.empty(),
        origin.label(),
        client.toString(),
        Optional.empty(),
        Verdict.NONE,
        List.of(),
        false,
        List.of(),
        List.of(step));
  }

  /** The families in which the client can connect. */
  private Set<IpFamily> families(Optional<Client> client) {
    return switch (client.orElseGet(Client.External::new)) {
      case Client.At(Ip address) -> Set.of(address.family());
      case Client.Within(Cidr range) -> Set.of(range.family());
      case Client.NamedPod(NamespacedName pod) ->
          PodAddresses.find(pod, decision.cluster()).addresses().keySet();
      case Client.Pod(), Client.Host(), Client.External() -> IpFamily.ALL;
    };
  }

  private static boolean isAsked(Optional<Protocol> protocol, ServicePort port) {
    return protocol.isEmpty() || protocol.get() == port.name().protocol();
  }

  /** The ports of a service, each once. */
  static String describe(NodeService service) {
    return service.ports().stream()
        .map(port -> {
          String name = port.name().port();
          return (name.isEmpty() ? "" : name + " ")
              + port.clusterIp().port()
              + "/"
              + port.name().protocol();
        })
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
