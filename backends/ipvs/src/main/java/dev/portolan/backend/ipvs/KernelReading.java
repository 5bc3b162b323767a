package dev.portolan.backend.ipvs;

import dev.portolan.backend.ipvs.ServerKey.EndpointKey;
import dev.portolan.core.net.Ip;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.Links;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What the kernel has: every virtual server that may be ours, the device with its addresses, and
 * the node's own addresses.
 *
 * <p>As in kube-proxy, every virtual server outside the excluded ranges is ours. Unlike in
 * kube-proxy, one that a mark selects, or whose packets are not translated, is another program's.
 *
 * @param bound the addresses on the device that can be ours: of a single host
 */
record KernelReading(
    Map<ServerKey, Server> servers, Optional<Link> device, Set<Ip> bound, NodeAddresses node) {
  private static final String DUMMY = "dummy";

  /**
   * A virtual server.
   *
   * @param foreign what shows that it is another program's; empty where it is not
   */
  record Server(
      ServiceSettings settings, Map<EndpointKey, ServerPlan.Known> there, String foreign) {}

  /** Reads everything. */
  static KernelReading of(Ipvs ipvs, Links links) {
    Map<ServerKey, Server> servers = new HashMap<>();
    for (ServiceEntry entry : ipvs.entries()) {
      ServerKey.of(entry.service())
          .ifPresent(key -> servers.put(key, server(entry, ipvs.servers(entry.service()))));
    }
    Optional<Link> device = links.named(IpvsOptions.DEVICE);
    return reading(servers, device, links.addresses());
  }

  private static KernelReading reading(
      Map<ServerKey, Server> servers, Optional<Link> device, List<LinkAddress> addresses) {
    int index = device.map(Link::index).orElse(0);
    Set<Ip> bound = new HashSet<>();
    for (LinkAddress address : addresses) {
      Ip ip = NodeAddresses.ip(address);
      if (address.link() == index && address.prefix() == ip.family().bits()) {
        bound.add(ip);
      }
    }
    return new KernelReading(servers, device, bound, NodeAddresses.except(index, addresses));
  }

  private static Server server(ServiceEntry entry, List<ServerEntry> real) {
    Map<EndpointKey, ServerPlan.Known> there = new HashMap<>();
    String foreign = "";
    for (ServerEntry one : real) {
      RealServer server = one.server();
      if (server.method() != RealServer.NAT && server.method() != RealServer.LOCAL) {
        foreign = "packets to its real server " + server + " are not translated";
      }
      there.put(
          key(server),
          new ServerPlan.Known(server.weight(), server.upperThreshold(), one.hasConnections()));
    }
    return new Server(entry.settings(), there, foreign);
  }

  /** Those among {@code services} that may be ours, judged by their keys alone. */
  static List<ServerKey> own(List<VirtualService> services, IpvsOptions options) {
    return services.stream()
        .flatMap(service -> ServerKey.of(service).stream())
        .filter(key -> !options.excludes(key.address()))
        .toList();
  }

  /** What a real server is known by. */
  static EndpointKey key(RealServer server) {
    return new EndpointKey(Ip.fromBytes(server.address().getAddress()), server.port());
  }

  /** A virtual server that was read. */
  Server server(ServerKey key) {
    return Objects.requireNonNull(servers.get(key));
  }

  /** Whether the device, if there is one, holds addresses and sends nothing. */
  boolean hasUsableDevice() {
    return device.isEmpty() || device.get().kind().equals(DUMMY);
  }
}
