package dev.portolan.takeover;

import dev.portolan.core.net.Ip;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.netlink.route.Links;
import java.util.List;
import java.util.Optional;

/**
 * A virtual server of IPVS, what is behind it, and whose it is.
 *
 * <p>The device that holds the addresses of services is the evidence: without it there is no proxy
 * in mode ipvs. A kube-proxy removes all virtual servers but its own and those of excluded
 * addresses, so the rest is its own, unless it is such as no proxy makes: selected by a mark, or
 * with packets that are not translated.
 *
 * @param real the real servers behind it
 */
public record IpvsServer(ServiceEntry entry, List<ServerEntry> real, Owner owner) {
  /** The device that holds the addresses of services. */
  static final String DEVICE = "kube-ipvs0";

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
    try (Ipvs kernel = ipvs.get();
        Links links = new Links(options.namespace())) {
      return all(kernel, links.named(DEVICE).isPresent(), options);
    }
  }

  static List<IpvsServer> all(Ipvs kernel, boolean device, TakeoverOptions options) {
    return kernel.entries().stream()
        .map(entry -> of(entry, kernel.servers(entry.service()), device, options))
        .toList();
  }

  /** Those of a proxy. */
  static List<IpvsServer> ofProxy(Ipvs kernel, TakeoverOptions options) {
    return all(kernel, true, options).stream().filter(one -> one.owner == Owner.PROXY).toList();
  }

  static IpvsServer of(
      ServiceEntry entry, List<ServerEntry> real, boolean device, TakeoverOptions options) {
    Ip address = Ip.fromBytes(entry.service().address().getAddress());
    boolean unlike =
        entry.service().mark() != 0
            || real.stream()
                .map(ServerEntry::server)
                .anyMatch(it -> it.method() != RealServer.NAT && it.method() != RealServer.LOCAL);
    boolean excluded = options.excluded().stream().anyMatch(range -> range.contains(address));
    Owner owner =
        entry.service().mark() == 0 && excluded
            ? Owner.EXCLUDED
            : unlike || !device ? Owner.OTHER : Owner.PROXY;
    return new IpvsServer(entry, real, owner);
  }

  VirtualService service() {
    return entry.service();
  }

  boolean isTcp() {
    return service().protocol() == Flow.TCP;
  }

  /** The connections through it, whether both sides may still send or not. */
  public int connections() {
    return real.stream().mapToInt(one -> one.active() + one.inactive()).sum();
  }
}
