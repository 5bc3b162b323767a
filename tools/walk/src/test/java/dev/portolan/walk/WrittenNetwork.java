package dev.portolan.walk;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.route.KernelRoute;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.LinkAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** A node's network that a test writes down, with the routes that a kernel would make of it. */
public final class WrittenNetwork {
  private static final int MTU = 1500;

  private final List<Link> links = new ArrayList<>();
  private final List<LinkAddress> addresses = new ArrayList<>();
  private final List<KernelRoute> routes = new ArrayList<>();

  /** With an interface that has addresses, such as {@code 10.244.1.1/24}. */
  public WrittenNetwork with(String link, String... ranges) {
    int index = links.size() + 1;
    links.add(new Link(index, link, true, false, MTU, ""));
    for (String range : ranges) {
      Ip address = Ip.of(range.substring(0, range.indexOf('/')));
      Cidr network = new Cidr(address, Integer.parseInt(range.substring(range.indexOf('/') + 1)));
      addresses.add(new LinkAddress(plain(address), network.prefix(), index, false));
      routes.add(local(address, index));
      routes.add(sent(network, index, true));
    }
    return this;
  }

  /** With routes to everything else, through a gateway at the last interface. */
  public WrittenNetwork leadingOut() {
    for (IpFamily family : IpFamily.values()) {
      routes.add(sent(new Cidr(Ip.any(family), 0), links.size(), false));
    }
    return this;
  }

  /** What was written so far. */
  public NodeNetwork network() {
    return new NodeNetwork(links, addresses, routes);
  }

  private static KernelRoute local(Ip address, int link) {
    int bits = address.family().bits();
    return new KernelRoute(
        plain(address), bits, KernelRoute.LOCAL_TABLE, KernelRoute.LOCAL, link, 0, true);
  }

  private static KernelRoute sent(Cidr network, int link, boolean direct) {
    return new KernelRoute(
        plain(network.base()),
        network.prefix(),
        KernelRoute.MAIN_TABLE,
        KernelRoute.UNICAST,
        link,
        0,
        direct);
  }

  private static InetAddress plain(Ip address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
