package dev.portolan.backend.ipvs;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.netlink.route.LinkAddress;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The addresses of the node on all devices but ours. NodePorts are served on these, and those that
 * are services' too stay where they are.
 */
record NodeAddresses(Set<Ip> all) {
  NodeAddresses {
    all = Set.copyOf(all);
  }

  NodeAddresses(Collection<Ip> addresses) {
    this(Set.copyOf(addresses));
  }

  /** Those among {@code addresses} that are not on the device with the index {@code device}. */
  static NodeAddresses except(int device, Collection<LinkAddress> addresses) {
    Set<Ip> all = new TreeSet<>();
    for (LinkAddress address : addresses) {
      Ip ip = ip(address);
      if (address.link() != device && counts(ip)) {
        all.add(ip);
      }
    }
    return new NodeAddresses(all);
  }

  /** Whether it can be that of a nodePort at all: not where it is valid on one link only. */
  static boolean counts(Ip address) {
    return !address.isLoopback() && !(address.family() == IpFamily.IPV6 && address.isLinkLocal());
  }

  static Ip ip(LinkAddress address) {
    return Ip.fromBytes(address.address().getAddress());
  }

  boolean has(Ip address) {
    return all.contains(address);
  }

  /** Those on which nodePorts of {@code family} are served. */
  List<Ip> servingNodePorts(IpFamily family, NodeFacts facts) {
    NodePortAddresses accepted = facts.nodePorts(family);
    return all.stream()
        .filter(address -> address.family() == family && accepted.accept(address))
        .sorted()
        .toList();
  }
}
