package dev.portolan.takeover;

import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.core.net.Ip;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.Links;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A virtual server of IPVS, what is behind it, and whose it is.
 *
 * <p>The device that holds the addresses of services is the evidence: without it there is no proxy
 * in mode ipvs. A virtual server at one of its addresses is the proxy's, and so is one at another
 * address that looks like a nodePort's; but not one that no proxy makes: selected by a mark, or
 * with packets that are not translated.
 *
 * @param real the real servers behind it
 */
public record IpvsServer(ServiceEntry entry, List<ServerEntry> real, Owner owner) {
  /** The range of nodePorts, unless the API server has another one. */
  private static final int FIRST_NODE_PORT = 30_000;

  private static final int LAST_NODE_PORT = 32_767;

  /** Whose a virtual server is. */
  public enum Owner {
    /** A proxy's in mode ipvs. */
    PROXY,
    /** Another program's, as the configuration says. */
    EXCLUDED,
    /** Another program's. */
    OTHER
  }

  public IpvsServer {
    real = List.copyOf(real);
  }

  /** All virtual servers. Where the kernel has no IPVS, its module is not loaded for this. */
  public static List<IpvsServer> all(TakeoverOptions options) {
    Optional<Ipvs> ipvs = Ipvs.open(options.namespace());
    if (ipvs.isEmpty()) {
      return List.of();
    }
    try (Ipvs kernel = ipvs.get()) {
      return all(kernel, options);
    }
  }

  /** Those of a proxy. */
  static List<IpvsServer> ofProxy(Ipvs kernel, TakeoverOptions options) {
    return all(kernel, options).stream().filter(IpvsServer::isProxys).toList();
  }

  private static List<IpvsServer> all(Ipvs kernel, TakeoverOptions options) {
    Map<ServiceEntry, List<ServerEntry>> servers = new LinkedHashMap<>();
    kernel.entries().forEach(entry -> servers.put(entry, kernel.servers(entry.service())));
    try (Links links = new Links(options.namespace())) {
      Evidence evidence =
          links
              .named(IpvsOptions.DEVICE)
              .map(device ->
                  Evidence.of(
                      links.addresses().stream()
                          .filter(address -> address.link() == device.index())
                          .map(LinkAddress::address)
                          .collect(Collectors.toSet()),
                      servers))
              .orElse(Evidence.NONE);
      return servers.entrySet().stream()
          .map(server -> of(server.getKey(), server.getValue(), evidence, options))
          .toList();
    }
  }

  /**
   * What shows whose a virtual server is.
   *
   * @param device whether there is one that holds the addresses of services
   * @param addresses those that are on it
   * @param endpoints what is behind the virtual servers at these addresses
   */
  record Evidence(boolean device, Set<InetAddress> addresses, Set<String> endpoints) {
    static final Evidence NONE = new Evidence(false, Set.of(), Set.of());

    /** With a device that has {@code addresses}. */
    static Evidence of(Set<InetAddress> addresses, Map<ServiceEntry, List<ServerEntry>> servers) {
      Set<String> endpoints = new HashSet<>();
      servers.forEach((entry, real) -> {
        if (addresses.contains(entry.service().address())) {
          real.forEach(one -> endpoints.add(one.server().toString()));
        }
      });
      return new Evidence(true, addresses, endpoints);
    }

    /**
     * Whether a virtual server at an address of the node itself looks like a nodePort's: by its
     * port, or because it leads to the same endpoints as services.
     */
    private boolean isLikeNodePort(VirtualService service, List<ServerEntry> real) {
      return (service.port() >= FIRST_NODE_PORT && service.port() <= LAST_NODE_PORT)
          || real.stream()
              .map(ServerEntry::server)
              .filter(one -> one.weight() != 0)
              .allMatch(one -> endpoints.contains(one.toString()));
    }
  }

  static IpvsServer of(
      ServiceEntry entry, List<ServerEntry> real, Evidence evidence, TakeoverOptions options) {
    VirtualService service = entry.service();
    Ip address = Ip.fromBytes(service.address().getAddress());
    Owner owner;
    if (service.mark() == 0
        && options.excluded().stream().anyMatch(range -> range.contains(address))) {
      owner = Owner.EXCLUDED;
    } else if (service.mark() != 0 || !evidence.device || !areTranslated(real)) {
      owner = Owner.OTHER;
    } else {
      owner =
          evidence.addresses.contains(service.address()) || evidence.isLikeNodePort(service, real)
              ? Owner.PROXY
              : Owner.OTHER;
    }
    return new IpvsServer(entry, real, owner);
  }

  private static boolean areTranslated(List<ServerEntry> real) {
    return real.stream()
        .map(ServerEntry::server)
        .allMatch(it -> it.method() == RealServer.NAT || it.method() == RealServer.LOCAL);
  }

  VirtualService service() {
    return entry.service();
  }

  boolean isProxys() {
    return owner == Owner.PROXY;
  }

  boolean isTcp() {
    return service().protocol() == Flow.TCP;
  }

  /** The connections through it, whether both sides may still send or not. */
  public int connections() {
    return real.stream().mapToInt(one -> one.active() + one.inactive()).sum();
  }
}
