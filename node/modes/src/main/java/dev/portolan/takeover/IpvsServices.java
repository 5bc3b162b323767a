package dev.portolan.takeover;

import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.text.Counted;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.Links;
import java.util.List;
import java.util.Optional;

/**
 * The virtual servers that a mode ipvs made, and the device that holds their addresses:
 * kube-proxy's or our own. Where other rules of ours serve, connections go on for a while ({@link
 * IpvsDrain}).
 */
record IpvsServices(TakeoverOptions options, int services) implements Leftover {
  static List<IpvsServices> find(TakeoverOptions options) {
    try (Links links = new Links(options.namespace())) {
      if (links.named(IpvsOptions.DEVICE).isEmpty()) {
        return List.of();
      }
    }
    Optional<Ipvs> ipvs = Ipvs.open(options.namespace());
    if (ipvs.isEmpty()) {
      return List.of(new IpvsServices(options, 0));
    }
    try (Ipvs kernel = ipvs.get()) {
      List<IpvsServer> own = IpvsServer.ofProxy(kernel, options);
      return options.drains() && IpvsDrain.isUnderWay(own)
          ? List.of()
          : List.of(new IpvsServices(options, own.size()));
    }
  }

  @Override
  public String describe() {
    return "ipvs: " + Counted.of(services, "virtual server") + ", device " + IpvsOptions.DEVICE;
  }

  @Override
  public String gone() {
    List<IpvsServer> left = IpvsServer.all(options).stream().filter(IpvsServer::isProxys).toList();
    int removed = services - left.size();
    return left.isEmpty()
        ? describe()
        : removed <= 0 ? "" : "ipvs: " + Counted.of(removed, "virtual server");
  }

  /** Where what is new cannot be refused meanwhile, nothing drains. */
  @Override
  public void remove() {
    if (options.drains()) {
      try {
        IpvsDrain.Progress _ = new IpvsDrain(options).step();
        return;
      } catch (BackendException e) {
        // The kernel has no nftables; mode iptables works without.
      }
    }
    removeAll();
  }

  /** The device goes last: where a server stays, it stays too, and both are found again. */
  private void removeAll() {
    try (Links links = new Links(options.namespace())) {
      Optional<Link> device = links.named(IpvsOptions.DEVICE);
      if (device.isEmpty()) {
        return;
      }
      Optional<Ipvs> ipvs = Ipvs.open(options.namespace());
      if (ipvs.isPresent()) {
        try (Ipvs kernel = ipvs.get()) {
          apply(
              kernel,
              IpvsServer.ofProxy(kernel, options).stream()
                  .map(server -> IpvsOrder.delete(server.service()))
                  .toList());
        }
      }
      links.delete(device.get());
    }
  }

  /** Gives orders; what is gone already need not be deleted. */
  static void apply(Ipvs kernel, List<IpvsOrder> orders) {
    for (IpvsOrder.Refusal refusal : kernel.apply(orders)) {
      if (refusal.errno() != Errno.ENOENT && refusal.errno() != Ipvs.NO_SUCH_SERVICE) {
        throw new NetlinkException("cannot " + refusal.order(), refusal.errno(), refusal.text());
      }
    }
  }
}
