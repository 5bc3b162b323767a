package dev.portolan.walk.iptables;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.Links;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The addresses of a host and the interfaces through which packets leave it, at one moment. Of the
 * routes, those of the main table are known; rules that choose other tables are not looked at.
 */
public final class HostNetwork {
  private static final Path ROUTES = Path.of("/proc/thread-self/net/route");
  private static final Path ROUTES_V6 = Path.of("/proc/thread-self/net/ipv6_route");
  private static final String LOOPBACK = "lo";
  private static final int HEX = 16;

  /** Of a route of IPv6: that it is up, and that its destination is this host. */
  private static final long UP = 1;

  private static final long LOCAL = 0x80000000L;
  private static final long REJECT = 0x0200;

  private final Set<Ip> local = new HashSet<>();
  private final Map<String, List<Ip>> byInterface;
  private final Map<IpFamily, Map<Integer, Map<Ip, Out>>> routes = new HashMap<>();

  /**
   * A network, and the interface through which packets to it leave.
   *
   * @param direct whether its hosts are at that interface, and not behind a gateway
   */
  public record Out(Cidr to, String through, boolean direct) {}

  /** Has these addresses, by interface, and these routes. */
  public HostNetwork(Map<String, List<Ip>> addresses, List<Out> routes) {
    byInterface = Map.copyOf(addresses);
    addresses.values().forEach(local::addAll);
    for (Out route : routes) {
      this.routes
          .computeIfAbsent(
              route.to.family(), key -> new TreeMap<>(Comparator.<Integer>reverseOrder()))
          .computeIfAbsent(route.to.prefix(), key -> new HashMap<>())
          // The first one has the lowest metric.
          .putIfAbsent(route.to.base(), route);
    }
  }

  /** That of this process's network namespace, or of the one that {@code namespace} names. */
  public static HostNetwork read(Optional<Path> namespace) {
    Map<String, List<Ip>> addresses = new HashMap<>();
    try (Links links = new Links(namespace)) {
      Map<Integer, String> names = new HashMap<>();
      for (Link link : links.all()) {
        names.put(link.index(), link.name());
      }
      for (LinkAddress address : links.addresses()) {
        addresses
            .computeIfAbsent(names.getOrDefault(address.link(), ""), key -> new ArrayList<>())
            .add(Ip.fromBytes(address.address().getAddress()));
      }
    }
    List<Out> routes = new ArrayList<>();
    lines(namespace, ROUTES).forEach(line -> v4(line).ifPresent(routes::add));
    lines(namespace, ROUTES_V6).forEach(line -> v6(line).ifPresent(routes::add));
    return new HostNetwork(addresses, routes);
  }

  private static List<String> lines(Optional<Path> namespace, Path file) {
    try {
      return namespace.isEmpty()
          ? read(file)
          : new NetworkNamespace(namespace.get()).visit(() -> read(file));
    } catch (IOException e) {
      // Without /proc no interface is known that packets leave through, and the rest goes on.
      return List.of();
    }
  }

  private static List<String> read(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static Optional<Out> v4(String line) {
    String[] words = line.strip().split("\\s+", -1);
    if (words.length < 8 || words[0].equals("Iface")) {
      return Optional.empty();
    }
    int base = Integer.reverseBytes(Integer.parseUnsignedInt(words[1], HEX));
    int mask = Integer.parseUnsignedInt(words[7], HEX);
    return (Integer.parseInt(words[3], HEX) & REJECT) != 0
        ? Optional.empty()
        : Optional.of(
            new Out(new Cidr(Ip.v4(base), Integer.bitCount(mask)), words[0], isZero(words[2])));
  }

  private static Optional<Out> v6(String line) {
    String[] words = line.strip().split("\\s+", -1);
    if (words.length < 10) {
      return Optional.empty();
    }
    long flags = Long.parseLong(words[8], HEX);
    boolean leads = (flags & UP) != 0 && (flags & (REJECT | LOCAL)) == 0;
    Ip base =
        new Ip(
            Long.parseUnsignedLong(words[0].substring(0, HEX), HEX),
            Long.parseUnsignedLong(words[0].substring(HEX), HEX));
    int prefix = Integer.parseInt(words[1], HEX);
    return leads && !base.isMulticast()
        ? Optional.of(new Out(new Cidr(base, prefix), words[9], isZero(words[4])))
        : Optional.empty();
  }

  /** Whether {@code address} is one of the host's own. */
  public boolean isLocal(Ip address) {
    return address.isLoopback() || local.contains(address);
  }

  /** Whether there is an interface of that name with addresses. */
  public boolean hasInterface(String name) {
    return byInterface.containsKey(name);
  }

  /** Whether {@code address} is one of that interface's. */
  public boolean isLocal(Ip address, String name) {
    return name.equals(LOOPBACK) && address.isLoopback()
        || byInterface.getOrDefault(name, List.of()).contains(address);
  }

  /** The first address of a family on an interface. */
  Optional<Ip> first(String name, IpFamily family) {
    return byInterface.getOrDefault(name, List.of()).stream()
        .filter(address -> address.family() == family)
        .findFirst();
  }

  /** The interface through which packets to {@code address} leave; empty where none is known. */
  public String outgoing(Ip address) {
    return isLocal(address) ? LOOPBACK : route(address).map(Out::through).orElse("");
  }

  /**
   * Whether {@code address} is that of a pod here, as far as routes tell: it hangs on an interface
   * of this host that does not lead out into the world.
   */
  public boolean isPodHere(Ip address) {
    Optional<Out> route = isLocal(address) ? Optional.empty() : route(address);
    return route
        .filter(it -> it.direct && !it.through.equals(outgoing(Ip.any(address.family()))))
        .isPresent();
  }

  private Optional<Out> route(Ip address) {
    for (Map.Entry<Integer, Map<Ip, Out>> each :
        routes.getOrDefault(address.family(), Map.of()).entrySet()) {
      Out out = each.getValue().get(new Cidr(address, each.getKey()).base());
      if (out != null) {
        return Optional.of(out);
      }
    }
    return Optional.empty();
  }

  private static boolean isZero(String hex) {
    return hex.chars().allMatch(c -> c == '0');
  }
}
