package dev.portolan.takeover;

import dev.portolan.backend.ipvs.DrainDeadline;
import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.Ip;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.conntrack.Conntrack;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.conntrack.FlowFilter;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.Links;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The end of IPVS on a node whose services other rules serve by now.
 *
 * <p>New connections do not get to IPVS any more: the new rules replace their destination first.
 * Packets of older ones come to IPVS for as long as it has the virtual server with the real server,
 * and the service's address is one of this node. So a virtual server with connections of TCP stays,
 * its real servers get weight 0, and it goes with its address when its connections are gone, or
 * when their time is up. Everything else goes at once. What held only for the first packet of a
 * connection, the rules and sets of a kube-proxy, is not needed any more.
 *
 * <p>As while a real server drains in mode ipvs, the kernel alone holds all that has to be known
 * ({@link DrainDeadline}). So a restart goes on where it was, and a return to mode ipvs finds what
 * it wrote itself.
 *
 * <p>While an address belongs to this node, all its ports do. {@link DrainRules} refuse new
 * connections there.
 */
public final class IpvsDrain {
  /** For how long connections go on, at most; the same in mode ipvs. */
  public static final Duration LIMIT = DrainDeadline.LIMIT;

  private static final List<Integer> PROTOCOLS = List.of(Flow.TCP, Flow.UDP, Flow.SCTP);

  private final TakeoverOptions options;
  private final InstantSource clock;

  /**
   * How far it is.
   *
   * @param servers how many virtual servers are left
   * @param connections how many connections still go through them
   */
  public record Progress(int servers, int connections) {
    /** Whether IPVS is gone from this node. */
    public boolean isOver() {
      return servers == 0;
    }
  }

  /** A drain in the network namespace of {@code options}. */
  public IpvsDrain(TakeoverOptions options) {
    this(options, InstantSource.system());
  }

  IpvsDrain(TakeoverOptions options, InstantSource clock) {
    this.options = options;
    this.clock = clock;
  }

  /** The first step, where IPVS only waits for the end of connections. */
  Optional<Progress> begin(Consumer<RuntimeException> failure) {
    return guarded(() -> isUnderWay(options) ? Optional.of(step()) : Optional.empty(), failure);
  }

  /** Another step; empty where it fails. */
  Optional<Progress> next(Consumer<RuntimeException> failure) {
    return guarded(() -> Optional.of(step()), failure);
  }

  private static Optional<Progress> guarded(
      Supplier<Optional<Progress>> step, Consumer<RuntimeException> failure) {
    try {
      return step.get();
    } catch (NetlinkException | BackendException e) {
      failure.accept(e);
      return Optional.empty();
    }
  }

  /** Whether IPVS only waits for the end of connections. */
  static boolean isUnderWay(TakeoverOptions options) {
    return isUnderWay(IpvsServer.all(options).stream().filter(IpvsServer::isProxys).toList());
  }

  /** Whether these virtual servers only wait for the end of their connections. */
  static boolean isUnderWay(List<IpvsServer> servers) {
    return !servers.isEmpty()
        && servers.stream()
            .allMatch(server ->
                server.isTcp()
                    && !server.real().isEmpty()
                    && server.real().stream().allMatch(real -> DrainDeadline.isSet(real.server())));
  }

  /**
   * Removes what has no connections any more, and lets the rest drain; a second call is the next.
   */
  public Progress step() {
    try (Links links = new Links(options.namespace())) {
      Optional<Link> device = links.named(IpvsOptions.DEVICE);
      Optional<Ipvs> ipvs = device.isEmpty() ? Optional.empty() : Ipvs.open(options.namespace());
      if (ipvs.isEmpty()) {
        device.ifPresent(links::delete);
        return new Progress(0, 0);
      }
      try (Ipvs kernel = ipvs.get()) {
        return step(kernel, links, device.get());
      }
    }
  }

  private Progress step(Ipvs kernel, Links links, Link device) {
    int now = DrainDeadline.now(clock);
    List<IpvsOrder> orders = new ArrayList<>();
    List<VirtualService> cut = new ArrayList<>();
    Set<InetAddress> busy = new HashSet<>();
    Set<InetAddress> fresh = new HashSet<>();
    int servers = 0;
    int connections = 0;
    for (IpvsServer server : IpvsServer.ofProxy(kernel, options)) {
      int left = server.isTcp() ? left(server, now) : 0;
      if (left == 0) {
        orders.add(IpvsOrder.delete(server.service()));
        if (server.connections() > 0) {
          cut.add(server.service());
        }
        continue;
      }
      servers++;
      connections += left;
      busy.add(server.service().address());
      server.real().stream()
          .map(ServerEntry::server)
          .filter(real -> !DrainDeadline.isSet(real))
          .map(real -> DrainDeadline.set(real, DrainDeadline.from(now)))
          .forEach(real -> {
            orders.add(IpvsOrder.change(server.service(), real));
            fresh.add(server.service().address());
          });
    }
    List<LinkAddress> addresses = links.addresses();
    List<InetAddress> bound =
        addresses.stream()
            .filter(address -> address.link() == device.index())
            .map(LinkAddress::address)
            .toList();
    List<Ip> draining = bound.stream().filter(busy::contains).map(IpvsDrain::ip).toList();
    if (servers > 0) {
      DrainRules.refuseAt(draining, options);
    }
    IpvsServices.apply(kernel, orders);
    if (servers == 0) {
      links.delete(device);
      DrainRules.remove(options);
    } else {
      ofIpv4(bound.stream().filter(fresh::contains))
          .forEach(address ->
              source(device, addresses)
                  .ifPresent(source -> links.preferSource(device, address, source)));
      remove(links, device, bound.stream().filter(address -> !busy.contains(address)).toList());
    }
    cut.forEach(this::endFlows);
    return new Progress(servers, connections);
  }

  /** The address with which this host connects to those that drain: one that it keeps. */
  private static Optional<Inet4Address> source(Link device, List<LinkAddress> addresses) {
    return ofIpv4(
            addresses.stream()
                .filter(other -> other.link() != device.index())
                .sorted(Comparator.comparingInt(LinkAddress::link))
                .map(LinkAddress::address))
        .filter(other -> !other.isLoopbackAddress() && !other.isLinkLocalAddress())
        .findFirst();
  }

  private static Stream<Inet4Address> ofIpv4(Stream<InetAddress> addresses) {
    return addresses.filter(Inet4Address.class::isInstance).map(Inet4Address.class::cast);
  }

  /** The connections of {@code server} whose time is not up. */
  private static int left(IpvsServer server, int now) {
    return server.real().stream()
        .filter(real -> !DrainDeadline.isOver(real.server(), now))
        .mapToInt(real -> real.active() + real.inactive())
        .sum();
  }

  private static void remove(Links links, Link device, List<InetAddress> addresses) {
    for (Links.AddressRefusal refusal : links.removeAddresses(device, addresses)) {
      throw new NetlinkException(
          "cannot remove address "
              + refusal.address().getHostAddress()
              + " from "
              + IpvsOptions.DEVICE,
          refusal.errno(),
          refusal.text());
    }
    ofIpv4(addresses.stream()).forEach(address -> links.removeRoute(device, address));
  }

  /**
   * Ends what IPVS alone translated, so that the next packet meets the new rules: a datagram goes
   * to an endpoint, and a client of TCP learns that its connection is gone. Flows that the new
   * rules translate go on.
   */
  private void endFlows(VirtualService service) {
    if (!PROTOCOLS.contains(service.protocol())) {
      return;
    }
    try (Conntrack conntrack = new Conntrack(options.namespace())) {
      FlowFilter filter =
          FlowFilter.of(AddressFamily.of(service.address()), service.protocol())
              .to(service.address(), service.port());
      List<Flow> flows =
          conntrack.flows(filter).stream()
              .filter(flow -> (flow.status() & Flow.DESTINATION_NAT) == 0)
              .toList();
      conntrack
          .delete(flows)
          .firstFailure()
          .ifPresent(failure -> {
            throw failure;
          });
    }
  }

  private static Ip ip(InetAddress address) {
    return Ip.fromBytes(address.getAddress());
  }
}
