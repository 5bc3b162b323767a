package dev.portolan.takeover;

import dev.portolan.core.net.Ip;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.Links;
import java.util.List;
import java.util.Optional;

/**
 * The virtual services that kube-proxy's mode ipvs made, and the device that holds their addresses.
 * The device is the evidence: without it services of IPVS are not kube-proxy's. While kube-proxy
 * runs it removes all services but its own and those of excluded addresses, so the rest is its own.
 */
record IpvsServices(TakeoverOptions options, int services) implements Leftover {
  private static final String DEVICE = "kube-ipvs0";

  /** What IPVS answers for a service that is not there. */
  private static final int NO_SUCH_PROCESS = 3;

  static List<IpvsServices> find(TakeoverOptions options) {
    try (Links links = new Links(options.namespace())) {
      if (device(links).isEmpty()) {
        return List.of();
      }
    }
    Optional<Ipvs> ipvs = Ipvs.open(options.namespace());
    if (ipvs.isEmpty()) {
      return List.of(new IpvsServices(options, 0));
    }
    try (Ipvs kernel = ipvs.get()) {
      return List.of(new IpvsServices(options, own(kernel, options).size()));
    }
  }

  @Override
  public String describe() {
    return "ipvs: " + Counted.of(services, "virtual service") + ", device " + DEVICE;
  }

  /** The device goes last: where a service stays, it stays too, and both are found again. */
  @Override
  public void remove() {
    try (Links links = new Links(options.namespace())) {
      Optional<Link> device = device(links);
      if (device.isEmpty()) {
        return;
      }
      Optional<Ipvs> ipvs = Ipvs.open(options.namespace());
      if (ipvs.isPresent()) {
        try (Ipvs kernel = ipvs.get()) {
          own(kernel, options).forEach(service -> delete(kernel, service));
        }
      }
      links.delete(device.get());
    }
  }

  private static void delete(Ipvs kernel, VirtualService service) {
    try {
      kernel.delete(service);
    } catch (NetlinkException e) {
      if (e.errno() != Errno.ENOENT && e.errno() != NO_SUCH_PROCESS) {
        throw e;
      }
    }
  }

  private static List<VirtualService> own(Ipvs kernel, TakeoverOptions options) {
    return kernel.services().stream().filter(service -> isOwn(service, options)).toList();
  }

  static boolean isOwn(VirtualService service, TakeoverOptions options) {
    Ip address = Ip.fromBytes(service.address().getAddress());
    return service.mark() == 0
        && options.excluded().stream().noneMatch(range -> range.contains(address));
  }

  private static Optional<Link> device(Links links) {
    return links.all().stream().filter(link -> link.name().equals(DEVICE)).findFirst();
  }
}
