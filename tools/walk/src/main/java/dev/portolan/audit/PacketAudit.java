package dev.portolan.audit;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.audit.OutcomeText.Deviation;
import dev.portolan.core.fate.Fate;
import dev.portolan.core.fate.Fates;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.WalkResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares rules with an image by what they do: a packet of every kind of client to every address
 * of every service. It does not matter who wrote the rules, or how.
 */
final class PacketAudit {
  private static final int CLIENT_PORT = 40_001;
  private static final long MOST_EXTRA_PACKETS = 100_000;

  private final NodeImage image;
  private final NodeFacts facts;
  private final Dataplane dataplane;
  private final Ruleset rules;
  private final Fates fates;
  private final AuditClients clients;
  private final DecidedPlaces places;
  private final DeviationList all = new DeviationList();
  private final Set<Cidr> sources;
  private final boolean own;

  /** Where packets go and what is expected of them. */
  private record Question(
      String service, String place, Ip destination, int port, Protocol protocol) {}

  /**
   * Compares {@code rules} with what {@code dataplane} is to do on the node of {@code image}.
   *
   * @param own whether they are our own
   */
  PacketAudit(
      NodeImage image, Dataplane dataplane, Ruleset rules, NodeInterfaces interfaces, boolean own) {
    this.own = own;
    this.image = image;
    this.facts = interfaces.known(image.facts());
    this.dataplane = dataplane;
    this.rules = rules;
    this.fates = new Fates(facts, dataplane);
    this.clients = new AuditClients(image, interfaces);
    this.places = new DecidedPlaces(image);
    this.sources = sources();
  }

  /**
   * The ranges of clients that rules name, beside endpoints that reach themselves. Where there are
   * many, and many addresses with source ranges, only those that were decided are looked at.
   */
  private Set<Cidr> sources() {
    Set<Cidr> named =
        rules.sources().stream()
            .filter(range -> !(range.last().equals(range.base()) && clients.isTaken(range.base())))
            .collect(Collectors.toSet());
    long guarded = 0;
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        guarded += port.sourceRanges().isEmpty() ? 0 : port.addresses().size();
      }
    }
    return named.size() * guarded <= MOST_EXTRA_PACKETS ? named : Set.of();
  }

  /** How many packets were walked through the rules. */
  long packets() {
    return all.packets();
  }

  /** All differences of {@code chosen} services. Any number of threads walk through the rules. */
  List<AuditDifference> compare(Predicate<NodeService> chosen) {
    List<NodeService> services = new ArrayList<>();
    image
        .services()
        .forEach(service -> {
          if (chosen.test(service)) {
            services.add(service);
          }
        });
    services.parallelStream().map(this::compare).toList().forEach(all::append);
    guardClusterIps(services);
    // A kube-proxy looks at ServiceCIDRs once an hour, so its rules may be without any.
    facts.serviceCidrs().stream()
        .filter(range -> own)
        .filter(range -> facts.families().contains(range.family()))
        .forEach(this::guard);
    List<AuditDifference> differences = new ArrayList<>(all.differences());
    differences.addAll(places.stale(rules));
    return differences;
  }

  private DeviationList compare(NodeService service) {
    DeviationList deviations = new DeviationList();
    for (ServicePort port : service.ports()) {
      if (facts.families().contains(port.family())) {
        port.addresses().forEach(address -> compare(port, address, deviations));
      }
    }
    return deviations;
  }

  private void compare(ServicePort port, ServiceAddress address, DeviationList deviations) {
    if (!address.isNodePort()) {
      compare(port, address, address.address(), deviations);
      return;
    }
    Stream.concat(facts.addresses().stream(), Dataplane.LOCALHOST.stream())
        .filter(ip -> ip.family() == port.family())
        .filter(ip -> !places.isAddress(ip, address.port(), port.name().protocol()))
        .filter(ip -> !dataplane.listensOn(ip, port.name().protocol()))
        .forEach(ip -> compare(port, address, ip, deviations));
  }

  private void compare(
      ServicePort port, ServiceAddress address, Ip destination, DeviationList deviations) {
    Question question =
        question(port.name().toString(), destination, address.port(), port.name().protocol());
    boolean served = !address.isNodePort() || fates.servesNodePorts(destination, question.protocol);
    for (AuditClient client : askers(port, address, destination)) {
      ask(
          question,
          client,
          served
              ? fates.of(client.known(), port, address, destination)
              : Fate.ended(fates.elsewhere(port, destination).verdict()),
          deviations);
    }
    deviations.end(question.service, question.place);
  }

  /** Who connects to {@code destination}, each once. */
  private List<AuditClient> askers(ServicePort port, ServiceAddress address, Ip destination) {
    if (destination.isLoopback()) {
      return List.of(clients.own(destination));
    }
    List<AuditClient> askers = new ArrayList<>();
    for (AuditClient client : clients.usual(port.family())) {
      boolean itself = client.through().isEmpty() && facts.addresses().contains(destination);
      askers.add(itself ? clients.own(destination) : client);
    }
    Set<Ip> known = new HashSet<>();
    askers.forEach(client -> known.add(client.address()));
    if (!port.sourceRanges(address).isEmpty()) {
      clients.atEdges(port, address, sources).stream()
          .filter(client -> known.add(client.address()))
          .forEach(askers::add);
    }
    Stream.of(port.cluster(), port.local())
        .flatMap(List::stream)
        .filter(facts::isLocal)
        .map(Endpoint::address)
        .filter(known::add)
        .map(clients::itself)
        .forEach(askers::add);
    return askers;
  }

  /** A port of each cluster IP that its services do not have. */
  private void guardClusterIps(List<NodeService> services) {
    Set<Ip> seen = new HashSet<>();
    for (NodeService service : services) {
      for (ServicePort port : service.ports()) {
        Ip address = port.clusterIp().address();
        if (facts.families().contains(address.family()) && seen.add(address)) {
          int unused = places.unusedPort(address);
          Question question = question(service.name().toString(), address, unused, Protocol.TCP);
          clients.usual(address.family()).stream()
              .limit(1)
              .forEach(client -> ask(question, client, Fate.ended(dataplane.unusedPort()), all));
          all.end(question.service, question.place);
        }
      }
    }
  }

  /** An address of {@code range} that no service has. */
  private void guard(Cidr range) {
    Optional<Ip> unassigned = clients.unassigned(range);
    unassigned.ifPresent(address -> {
      Question question = question("", address, 80, Protocol.TCP);
      clients
          .usual(range.family())
          .forEach(client -> ask(question, client, Fate.ended(dataplane.unassigned()), all));
      all.end(question.service, question.place);
    });
  }

  private static Question question(String service, Ip destination, int port, Protocol protocol) {
    return new Question(
        service, destination.withPort(port) + "/" + protocol, destination, port, protocol);
  }

  private void ask(Question question, AuditClient client, Fate expected, DeviationList deviations) {
    WalkResult found =
        rules.walk(
            rules.connecting(
                new FirstPacket(
                    client.address(),
                    CLIENT_PORT,
                    question.destination,
                    question.port,
                    question.protocol,
                    client.through())));
    Optional<Deviation> deviation = OutcomeText.compare(expected, found, facts.addresses());
    deviations.add(client.label(), deviation.map(it -> blamed(it, found)));
  }

  /** Where a rule that is not the proxy's ended the packet, it is that rule's doing. */
  private static DeviationList.Found blamed(Deviation deviation, WalkResult found) {
    boolean ended =
        switch (found.verdict()) {
          case REJECT, DROP -> true;
          case FORWARD, NONE -> false;
        };
    if (ended && !found.steps().isEmpty() && !RuleOwner.isProxy(found.steps().getLast())) {
      return DeviationList.Found.ofRule(Kind.FOREIGN, found.steps().getLast());
    }
    return new DeviationList.Found(
        deviation.kind(), Basis.PACKETS, Optional.empty(), deviation.text());
  }
}
