package dev.portolan.inspection.trace;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.explain.Client;
import dev.portolan.explain.PodAddresses;
import dev.portolan.netlink.route.Link;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.NodeNetwork;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Makes the first packet of the connection that an explanation is about. */
final class ClientPacket {
  private static final int CLIENT_PORT = 40000;
  private static final int MOST_TRIED = 1000;

  /** Addresses that no node has, and no pod, those first that are kept for documentation. */
  private static final List<Ip> ANYBODY =
      Stream.of(
              "198.51.100.1",
              "192.0.2.1",
              "203.0.113.1",
              "9.9.9.9",
              "129.0.0.1",
              "2001:db8:3::1",
              "2001:db8::1",
              "3fff::1",
              "2a00::1")
          .map(Ip::of)
          .toList();

  private final NodeImage image;
  private final NodeFacts facts;
  private final NodeNetwork network;
  private final Optional<ClusterImage> cluster;

  /**
   * For a node with that network.
   *
   * @param cluster where pods are looked up; empty where only a server knows it
   */
  ClientPacket(NodeImage image, NodeNetwork network, Optional<ClusterImage> cluster) {
    this.image = image;
    this.facts = image.facts();
    this.network = network;
    this.cluster = cluster;
  }

  /** The packet; throws with a sentence where the client's address cannot be known. */
  FirstPacket of(Explanation explanation, Destination to) {
    Ip source = source(explanation, to.address());
    boolean own =
        source.isLoopback()
            || network.isLocal(source)
            || explanation.from().equals(new Client.Host().toString());
    return new FirstPacket(
        source,
        CLIENT_PORT,
        to.address(),
        to.port(),
        to.protocol(),
        own ? Optional.empty() : Optional.of(link(explanation, source)));
  }

  private Ip source(Explanation explanation, Ip destination) {
    IpFamily family = destination.family();
    Optional<Cidr> range = Cidr.parse(explanation.from());
    if (range.isPresent()) {
      return within(range.get(), explanation);
    }
    return switch (Client.parse(explanation.from())) {
      case Client.At(Ip address) -> address;
      case Client.Within(Cidr inside) -> within(inside, explanation);
      case Client.External() -> external(explanation, family);
      case Client.Host() ->
          destination.isLoopback()
              ? destination
              : facts
                  .primaryIp(family)
                  .orElseThrow(() -> unknown("the node's own " + family + " address"));
      case Client.Pod() -> within(podRange(family), explanation);
      case Client.NamedPod(NamespacedName pod) ->
          cluster
              .map(image -> PodAddresses.find(pod, image))
              .map(found -> found.addresses().get(family))
              .orElseThrow(() -> unknown("the address of the pod " + pod));
    };
  }

  /** An address that none of the service's source ranges has, as explain takes it. */
  private Ip external(Explanation explanation, IpFamily family) {
    List<Cidr> allowed =
        explanation.service().stream()
            .flatMap(name -> Optional.ofNullable(image.service(name.service())).stream())
            .flatMap(service -> service.ports().stream())
            .flatMap(port -> port.sourceRanges().stream())
            .toList();
    List<Ip> candidates = ANYBODY.stream().filter(ip -> ip.family() == family).toList();
    return candidates.stream()
        .filter(ip -> allowed.stream().noneMatch(range -> range.contains(ip)))
        .findFirst()
        .orElse(candidates.getFirst());
  }

  private Cidr podRange(IpFamily family) {
    return facts.podCidrs().stream()
        .filter(range -> range.family() == family)
        .findFirst()
        .or(() ->
            facts.detector(family) instanceof LocalDetector.SourceRange(Cidr range)
                ? Optional.of(range)
                : Optional.empty())
        .orElseThrow(() -> unknown("the " + family + " range of this node's pods"));
  }

  private static IllegalArgumentException unknown(String what) {
    return new IllegalArgumentException(
        what + " is not known; write the client's address: --client IP");
  }

  /** An address of the range that is neither the node's nor an endpoint's, as those are special. */
  private Ip within(Cidr range, Explanation explanation) {
    Set<Ip> special =
        explanation.endpoints().stream()
            .map(share -> share.endpoint().address())
            .collect(Collectors.toSet());
    Ip base = range.base();
    // The first addresses of a range are the network's own and its gateway's.
    int first = range.prefix() < range.family().bits() - 2 ? 2 : 0;
    return LongStream.range(first, MOST_TRIED)
        .mapToObj(i -> new Ip(base.high(), base.low() + i))
        .filter(range::contains)
        .filter(address -> !special.contains(address) && network.localRoute(address).isEmpty())
        .findFirst()
        .orElse(base);
  }

  /** The interface that a client's packets come through: the one that answers leave through. */
  private String link(Explanation explanation, Ip source) {
    boolean pod = explanation.from().startsWith("pod");
    Optional<String> back = network.linkTo(source).map(Link::name);
    return switch (facts.detector(source.family())) {
      case LocalDetector.Interface(String name) when pod -> name;
      case LocalDetector.InterfacePrefix(String prefix) when pod ->
          back.filter(name -> name.startsWith(prefix)).orElse(prefix + "0");
      default -> back.orElse("");
    };
  }
}
