package dev.portolan.walk;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.route.KernelRoute;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.Links;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The interfaces, addresses and routes of a node at one moment. Only the routing tables that every
 * packet meets count: local, main and default. Routes by mark or source are not known here.
 */
public final class NodeNetwork {
  private static final String LOOPBACK = "lo";

  private static final List<Integer> TABLES =
      List.of(KernelRoute.LOCAL_TABLE, KernelRoute.MAIN_TABLE, KernelRoute.DEFAULT_TABLE);

  private static final SortedMap<Integer, Map<Cidr, KernelRoute>> NONE =
      Collections.emptySortedMap();

  private final Map<Integer, Link> byIndex = new HashMap<>();
  private final Map<String, Link> byName = new HashMap<>();

  /** By the index of the interface, in the kernel's order. */
  private final Map<Integer, List<Ip>> addresses = new HashMap<>();

  /** For each table, by the length of the prefix, the longest first. */
  private final Map<TableOf, SortedMap<Integer, Map<Cidr, KernelRoute>>> tables = new HashMap<>();

  /** What was found out about addresses: every packet of an audit asks again. */
  private final Map<Ip, Outcome> known = new ConcurrentHashMap<>();

  private record TableOf(IpFamily family, int number) {}

  /**
   * What becomes of packets to an address.
   *
   * @param out the name of the interface that packets of the node leave through; may be empty
   */
  private record Outcome(boolean local, Optional<KernelRoute> route, String out) {}

  /** A network with these interfaces, addresses on them, and routes. */
  public NodeNetwork(
      Collection<Link> links, Collection<LinkAddress> addresses, Collection<KernelRoute> routes) {
    for (Link link : links) {
      byIndex.put(link.index(), link);
      byName.put(link.name(), link);
    }
    for (LinkAddress each : addresses) {
      this.addresses
          .computeIfAbsent(each.link(), link -> new ArrayList<>())
          .add(Ip.fromBytes(each.address().getAddress()));
    }
    routes.forEach(this::add);
  }

  private void add(KernelRoute route) {
    Ip destination = Ip.fromBytes(route.destination().getAddress());
    if (route.prefix() > destination.family().bits()) {
      return; // A range of IPv4 addresses in the form of IPv6, which no packet has.
    }
    Cidr range = new Cidr(destination, route.prefix());
    tables
        .computeIfAbsent(
            new TableOf(range.family(), route.table()),
            table -> new TreeMap<>(Comparator.reverseOrder()))
        .computeIfAbsent(range.prefix(), prefix -> new HashMap<>())
        .merge(range, route, (one, other) -> other.metric() < one.metric() ? other : one);
  }

  /** Reads this process's network namespace, or the one that {@code namespace} stands for. */
  public static NodeNetwork read(Optional<Path> namespace) {
    try (Links kernel = new Links(namespace)) {
      List<KernelRoute> routes = new ArrayList<>();
      for (AddressFamily family : AddressFamily.values()) {
        routes.addAll(kernel.routes(family));
      }
      return new NodeNetwork(kernel.all(), kernel.addresses(), routes);
    }
  }

  /** Whether the node takes packets to {@code address} for its own. */
  public boolean isLocal(Ip address) {
    return outcome(address).local;
  }

  private Outcome outcome(Ip address) {
    Outcome before = known.get(address);
    if (before != null) {
      return before;
    }
    boolean local =
        address.isLoopback()
            || find(KernelRoute.LOCAL_TABLE, address)
                .filter(route -> route.type() == KernelRoute.LOCAL)
                .isPresent();
    Optional<KernelRoute> route =
        TABLES.stream().flatMap(table -> find(table, address).stream()).findFirst();
    String out =
        local
            ? LOOPBACK
            : route
                .filter(NodeNetwork::isSent)
                .flatMap(it -> link(it.link()))
                .map(Link::name)
                .orElse("");
    Outcome found = new Outcome(local, route, out);
    known.put(address, found);
    return found;
  }

  private static boolean isSent(KernelRoute route) {
    return route.type() == KernelRoute.UNICAST;
  }

  /** What the table of local addresses says of {@code address}; nothing for most. */
  public Optional<KernelRoute> localRoute(Ip address) {
    return find(KernelRoute.LOCAL_TABLE, address);
  }

  /** The route that packets to {@code address} take, if there is one. */
  public Optional<KernelRoute> route(Ip address) {
    return outcome(address).route;
  }

  /** The interface that packets to {@code address} leave through, if there is one. */
  public Optional<Link> linkTo(Ip address) {
    return route(address).flatMap(route -> link(route.link()));
  }

  /**
   * The name of the interface that packets of the node leave through; empty where none is known.
   */
  public String outgoing(Ip address) {
    return outcome(address).out;
  }

  /**
   * Whether {@code address} is that of a pod here, as far as routes tell: it is at an interface of
   * this node that does not lead out into the world.
   */
  public boolean isPodHere(Ip address) {
    return !isLocal(address)
        && route(address).filter(NodeNetwork::isSent).filter(KernelRoute::direct).isPresent()
        && !outgoing(address).equals(outgoing(Ip.any(address.family())));
  }

  /** Whether {@code address} is one of those on the interface of that name. */
  public boolean isOn(String name, Ip address) {
    return on(name).contains(address) || (name.equals(LOOPBACK) && address.isLoopback());
  }

  /** The first address of the node on the interface of that name. */
  public Optional<Ip> addressOn(String name, IpFamily family) {
    return on(name).stream()
        .filter(address -> address.family() == family && !address.isLinkLocal())
        .findFirst();
  }

  private List<Ip> on(String name) {
    return link(name).map(it -> addresses.getOrDefault(it.index(), List.of())).orElse(List.of());
  }

  /** The interface with that index. */
  public Optional<Link> link(int index) {
    return Optional.ofNullable(byIndex.get(index));
  }

  /** The interface of that name. */
  public Optional<Link> link(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  private Optional<KernelRoute> find(int table, Ip address) {
    var byPrefix = tables.getOrDefault(new TableOf(address.family(), table), NONE);
    for (Map.Entry<Integer, Map<Cidr, KernelRoute>> entry : byPrefix.entrySet()) {
      KernelRoute route = entry.getValue().get(new Cidr(address, entry.getKey()));
      if (route != null) {
        return Optional.of(route);
      }
    }
    return Optional.empty();
  }
}
