package dev.portolan.backend.userspace;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.Links;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The address of this machine, in each family, on which rules find the portals. */
record PortalAddresses(Map<IpFamily, Ip> byFamily) {
  /** That which the cluster knows the node by; nothing is asked of a kernel. */
  static PortalAddresses of(NodeFacts facts) {
    return of(facts, facts.primaryIps());
  }

  /** The same where the machine has that address, otherwise another one that it has. */
  static PortalAddresses of(NodeFacts facts, Optional<Path> namespace) {
    return of(facts, there(namespace));
  }

  /** These while the machine has them; otherwise those that are chosen now. */
  PortalAddresses renewed(NodeFacts facts, Optional<Path> namespace) {
    List<Ip> there = there(namespace);
    PortalAddresses now = of(facts, there);
    boolean serve =
        there.containsAll(byFamily.values()) && byFamily.keySet().equals(now.byFamily.keySet());
    return serve ? this : now;
  }

  private static List<Ip> there(Optional<Path> namespace) {
    try (Links links = new Links(namespace)) {
      return links.addresses().stream()
          .filter(address -> !address.tentative())
          .map(LinkAddress::address)
          .map(Sockets::ip)
          .filter(ip -> !ip.isLoopback() && !ip.isLinkLocal())
          .toList();
    }
  }

  private static PortalAddresses of(NodeFacts facts, List<Ip> there) {
    Map<IpFamily, Ip> chosen = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      facts
          .primaryIp(family)
          .filter(there::contains)
          .or(() -> there.stream().filter(ip -> ip.family() == family).findFirst())
          .ifPresent(ip -> chosen.put(family, ip));
    }
    return new PortalAddresses(chosen);
  }

  /** The address of a family; empty where the machine has none. */
  Optional<Ip> of(IpFamily family) {
    return Optional.ofNullable(byFamily.get(family));
  }
}
