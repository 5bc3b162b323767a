package dev.portolan.compare.events;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes up addresses for pods that do not exist, from the end of their node's pod CIDR. */
final class ImaginedAddresses {
  private static final Cidr NOWHERE_V4 = Cidr.of("192.0.2.0/24");
  private static final Cidr NOWHERE_V6 = Cidr.of("2001:db8::/64");

  private final Set<Ip> used = new HashSet<>();
  private final Map<Cidr, Long> lowest = new HashMap<>();

  /** Addresses that no endpoint of {@code cluster} has. */
  ImaginedAddresses(ClusterImage cluster) {
    for (Map.Entry<NamespacedName, EndpointSlice> entry : cluster.slices()) {
      for (Member member : entry.getValue().members()) {
        Inventory.address(member).ifPresent(used::add);
      }
    }
  }

  /** The next free one on a node. */
  Ip next(Node node, IpFamily family) {
    Cidr range =
        node.podCidrs().stream()
            .map(Cidr::parse)
            .flatMap(Optional::stream)
            .filter(cidr -> cidr.family() == family)
            .findFirst()
            .orElse(family == IpFamily.IPV4 ? NOWHERE_V4 : NOWHERE_V6);
    long end = family == IpFamily.IPV4 ? range.last().low() : range.base().low() + 0x1_0000;
    long low = lowest.getOrDefault(range, end) - 1;
    while (!used.add(new Ip(range.base().high(), low))) {
      low--;
    }
    lowest.put(range, low);
    return new Ip(range.base().high(), low);
  }
}
