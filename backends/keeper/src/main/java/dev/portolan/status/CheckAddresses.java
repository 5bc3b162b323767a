package dev.portolan.status;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.telemetry.http.BindAddress;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** On which addresses of the host the health-check nodePorts are served: where nodePorts are. */
final class CheckAddresses {
  private static final int ANY_PORT = 0;

  private CheckAddresses() {}

  /**
   * The addresses to listen on, without a port; none where the host has none that fits. {@code
   * host} reads the host's addresses, which takes long, and is asked only where they matter.
   */
  static List<BindAddress> of(NodeFacts facts, Supplier<? extends Collection<Ip>> host) {
    NodePortAddresses ipv4 = served(facts, IpFamily.IPV4);
    NodePortAddresses ipv6 = served(facts, IpFamily.IPV6);
    if (ipv4.all() && ipv6.all()) {
      return List.of(BindAddress.everywhere(ANY_PORT));
    }
    List<BindAddress> addresses = new ArrayList<>();
    if (ipv4.all()) {
      addresses.add(BindAddress.everyIpv4(ANY_PORT));
    }
    if (!ipv4.ranges().isEmpty() || ipv6.all() || !ipv6.ranges().isEmpty()) {
      for (Ip ip : host.get()) {
        if (ip.family() == IpFamily.IPV4 ? within(ipv4, ip) : ipv6.all() || within(ipv6, ip)) {
          addresses.add(BindAddress.only(ip, ANY_PORT));
        }
      }
    }
    return addresses;
  }

  private static NodePortAddresses served(NodeFacts facts, IpFamily family) {
    return facts.families().contains(family) ? facts.nodePorts(family) : NodePortAddresses.NONE;
  }

  private static boolean within(NodePortAddresses choice, Ip ip) {
    return choice.ranges().stream().anyMatch(range -> range.contains(ip));
  }

  /** Every address of this host that needs no interface beside it. */
  static List<Ip> ofHost() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(InetAddress::getAddress)
          .map(Ip::fromBytes)
          .filter(ip -> ip.family() == IpFamily.IPV4 || !ip.isLinkLocal())
          .distinct()
          .sorted()
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }
}
