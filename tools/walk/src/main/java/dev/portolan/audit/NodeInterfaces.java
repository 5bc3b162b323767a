package dev.portolan.audit;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.Links;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The interfaces of a node that packets come in through.
 *
 * @param outside where packets from other hosts come in
 * @param others the names of all others, apart from loopback
 * @param own the addresses on any of them, also those that the cluster does not know
 */
public record NodeInterfaces(String outside, List<String> others, Set<Ip> own) {
  private static final String USUAL_OUTSIDE = "eth0";
  private static final String USUAL_POD = "veth0";

  public NodeInterfaces {
    others = List.copyOf(others);
    own = Set.copyOf(own);
  }

  /** Those of the node with these facts, as its kernel has them. */
  public static NodeInterfaces read(Optional<Path> namespace, NodeFacts facts) {
    try (Links links = new Links(namespace)) {
      List<LinkAddress> addresses = links.addresses();
      Set<Integer> primary =
          addresses.stream()
              .filter(one -> facts.primaryIps().contains(ip(one)))
              .map(LinkAddress::link)
              .collect(Collectors.toSet());
      List<Link> all = links.all().stream().filter(link -> !link.loopback()).toList();
      String outside =
          all.stream()
              .filter(link -> primary.contains(link.index()))
              .map(Link::name)
              .findFirst()
              .orElse(USUAL_OUTSIDE);
      return new NodeInterfaces(
          outside,
          all.stream().filter(Link::up).map(Link::name).filter(n -> !n.equals(outside)).toList(),
          addresses.stream().map(NodeInterfaces::ip).collect(Collectors.toSet()));
    }
  }

  /**
   * Those addresses of the node that are on no interface of its host, such as one that a cloud
   * translates on the way. For the kernel they belong to another host.
   */
  public List<Ip> lacking(NodeFacts facts) {
    return facts.addresses().stream().filter(ip -> !own.contains(ip)).toList();
  }

  /** The same facts without the addresses that the host does not have. */
  NodeFacts known(NodeFacts facts) {
    return facts.withAddresses(facts.addresses().stream().filter(own::contains).toList());
  }

  private static Ip ip(LinkAddress one) {
    return Ip.fromBytes(one.address().getAddress());
  }

  /** One that packets of a pod come in through, as the node recognizes them. */
  String ofPod(IpFamily family, NodeFacts facts) {
    return switch (facts.detector(family)) {
      case LocalDetector.Interface(String name) -> name;
      case LocalDetector.InterfacePrefix(String prefix) ->
          others.stream().filter(name -> name.startsWith(prefix)).findFirst().orElse(prefix + "0");
      case LocalDetector.SourceRange _, LocalDetector.Undetected _ ->
          others.isEmpty() ? USUAL_POD : others.getFirst();
    };
  }
}
