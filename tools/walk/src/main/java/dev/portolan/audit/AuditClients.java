package dev.portolan.audit;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Chooses clients such that rules can treat no other client in a way that none of them meets. */
final class AuditClients {
  /** Addresses reserved for documentation and benchmarks, which no host has. */
  private static final Map<IpFamily, List<Ip>> OUTSIDE =
      Map.of(
          IpFamily.IPV4,
          List.of(Ip.of("198.51.100.77"), Ip.of("203.0.113.77"), Ip.of("198.18.0.77")),
          IpFamily.IPV6,
          List.of(Ip.of("2001:db8:77::77"), Ip.of("2001:2::77"), Ip.of("3fff::77")));

  private static final int MOST_TRIES = 10_000;

  private final NodeFacts facts;
  private final NodeInterfaces interfaces;
  private final Set<Ip> taken = new HashSet<>();
  private final Map<IpFamily, Ip> elsewhere = new EnumMap<>(IpFamily.class);
  private final Map<IpFamily, List<AuditClient>> usual = new EnumMap<>(IpFamily.class);

  /** Looks for addresses that are free in {@code image}. */
  AuditClients(NodeImage image, NodeInterfaces interfaces) {
    this.facts = interfaces.known(image.facts());
    this.interfaces = interfaces;
    taken.addAll(image.facts().addresses());
    taken.addAll(interfaces.own());
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        port.addresses().forEach(address -> taken.add(address.address()));
        Stream.of(port.cluster(), port.local(), port.serving())
            .flatMap(List::stream)
            .forEach(this::take);
      }
    }
    for (IpFamily family : IpFamily.values()) {
      usual.put(family, choose(family));
    }
  }

  private void take(Endpoint endpoint) {
    taken.add(endpoint.address());
    Ip address = endpoint.address();
    if (!facts.isLocal(endpoint) && !isPodHere(address)) {
      elsewhere.putIfAbsent(address.family(), address);
    }
  }

  private boolean isPodHere(Ip address) {
    return facts.podCidrs().stream().anyMatch(range -> range.contains(address));
  }

  /** Those that every address is looked at from. */
  List<AuditClient> usual(IpFamily family) {
    return usual.getOrDefault(family, List.of());
  }

  private List<AuditClient> choose(IpFamily family) {
    List<AuditClient> clients = new ArrayList<>();
    Optional<Cidr> pods =
        facts.podCidrs().stream()
            .filter(range -> range.family() == family)
            .findFirst()
            .or(() -> detected(family));
    String ofPod = interfaces.ofPod(family, facts);
    pods.flatMap(this::free)
        .ifPresent(ip -> clients.add(at("pods of this node", ip, Optional.of(ofPod))));
    Optional.ofNullable(elsewhere.get(family))
        .flatMap(this::freeNear)
        .filter(ip -> !isPodHere(ip))
        .ifPresent(
            ip -> clients.add(at("pods of other nodes", ip, Optional.of(interfaces.outside()))));
    facts
        .primaryIp(family)
        .ifPresent(ip -> clients.add(at("the node itself", ip, Optional.empty())));
    OUTSIDE.getOrDefault(family, List.of()).stream()
        .filter(ip -> !isSpecial(ip))
        .findFirst()
        .ifPresent(
            ip -> clients.add(at("outside the cluster", ip, Optional.of(interfaces.outside()))));
    return clients;
  }

  private Optional<Cidr> detected(IpFamily family) {
    return facts.detector(family) instanceof LocalDetector.SourceRange(Cidr range)
        ? Optional.of(range)
        : Optional.empty();
  }

  private boolean isSpecial(Ip address) {
    return taken.contains(address)
        || isPodHere(address)
        || facts.serviceCidrs().stream().anyMatch(range -> range.contains(address))
        || detected(address.family()).filter(range -> range.contains(address)).isPresent();
  }

  /**
   * Those at the edges of the ranges that may use an address, on either side of each; and those at
   * the edges of {@code others}.
   */
  List<AuditClient> atEdges(ServicePort port, ServiceAddress address, Collection<Cidr> others) {
    Set<Ip> edges = new HashSet<>();
    Stream.concat(facts.allowedSources(port, address).stream(), others.stream())
        .filter(range -> range.family() == address.family())
        .forEach(range -> {
          edges.add(range.base());
          edges.add(range.last());
          step(range.base(), -1).ifPresent(edges::add);
          step(range.last(), 1).ifPresent(edges::add);
        });
    return edges.stream()
        .filter(AuditClients::canSend)
        .filter(ip -> facts.addresses().contains(ip) || !interfaces.own().contains(ip))
        .sorted()
        .map(ip -> named(ip.toString(), ip))
        .toList();
  }

  /** Whether a pod or the node has {@code address}. */
  boolean isTaken(Ip address) {
    return taken.contains(address);
  }

  /** The endpoint itself, which reaches itself through its service. */
  AuditClient itself(Ip endpoint) {
    return named("the endpoint " + endpoint + " itself", endpoint);
  }

  /** The node itself, as it reaches one of its own addresses. */
  AuditClient own(Ip address) {
    return at("the node itself", address, Optional.empty());
  }

  private AuditClient named(String label, Ip address) {
    boolean own = facts.addresses().contains(address);
    String through =
        isPodHere(address) ? interfaces.ofPod(address.family(), facts) : interfaces.outside();
    return at(label, address, own ? Optional.empty() : Optional.of(through));
  }

  private AuditClient at(String label, Ip address, Optional<String> through) {
    return AuditClient.at(label, address, through, facts);
  }

  /** An unused address of {@code range}, from the end, where few are allocated. */
  private Optional<Ip> free(Cidr range) {
    Optional<Ip> candidate = step(range.last(), -1);
    for (int i = 0; i < MOST_TRIES && candidate.filter(range::contains).isPresent(); i++) {
      if (!taken.contains(candidate.get())) {
        return candidate;
      }
      candidate = step(candidate.get(), -1);
    }
    return Optional.empty();
  }

  private Optional<Ip> freeNear(Ip address) {
    Optional<Ip> candidate = step(address, 1);
    for (int i = 0; i < MOST_TRIES && candidate.isPresent(); i++) {
      if (!taken.contains(candidate.get())) {
        return candidate;
      }
      candidate = step(candidate.get(), 1);
    }
    return Optional.empty();
  }

  /** An address that could be a cluster IP, and is none. */
  Optional<Ip> unassigned(Cidr serviceCidr) {
    return free(serviceCidr);
  }

  private static Optional<Ip> step(Ip address, int by) {
    long low = address.low() + by;
    boolean carried = by > 0 ? low == 0 : low == -1;
    Ip next = new Ip(carried ? address.high() + by : address.high(), low);
    return next.family() == address.family() ? Optional.of(next) : Optional.empty();
  }

  private static boolean canSend(Ip address) {
    return !address.isUnspecified()
        && !address.isLoopback()
        && !address.isMulticast()
        && !address.isLinkLocal()
        && (address.family() == IpFamily.IPV6 || (address.low() & 0xff000000L) >>> 24 < 224);
  }
}
