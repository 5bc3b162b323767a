package dev.portolan.backend.ipvs;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.VirtualService;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the backend needs of the machine, each with a sentence for when it is missing. */
final class IpvsRequirements {
  /** An address for documentation, on which no service is; kube-proxy probes with the same. */
  private static final VirtualService PROBE =
      new ServerKey(Ip.of("198.51.100.0"), Protocol.TCP, 20_000).service();

  private IpvsRequirements() {}

  /** Connects to IPVS, whose module the kernel loads if necessary, or says why that cannot be. */
  static Ipvs connect(Optional<Path> namespace) {
    Ipvs ipvs;
    try {
      ipvs =
          Ipvs.load(namespace)
              .orElseThrow(() ->
                  new BackendException(
                      ErrorCode.HOST,
                      "ipvs: this kernel does not have IPVS; load the module ip_vs, or use another"
                          + " mode"));
    } catch (NetlinkException e) {
      throw failure(e);
    }
    try {
      ipvs.timeouts();
      return ipvs;
    } catch (NetlinkException e) {
      ipvs.close();
      throw failure(e);
    }
  }

  /**
   * Makes sure that the kernel has the scheduler, whose module it loads if necessary: by making a
   * virtual server with it, unless one is there already.
   */
  static void check(Ipvs ipvs, String scheduler) {
    try {
      if (ipvs.entries().stream()
          .anyMatch(entry -> entry.settings().scheduler().equals(scheduler))) {
        return;
      }
      ServiceSettings settings = ServiceSettings.of(AddressFamily.IPV4, scheduler, 0, 0);
      List<IpvsOrder.Refusal> refusals =
          ipvs.apply(List.of(IpvsOrder.add(PROBE, settings), IpvsOrder.delete(PROBE)));
      if (!refusals.isEmpty() && refusals.getFirst().order().settings() != null) {
        IpvsProblems problems = new IpvsProblems();
        problems.add(refusals.getFirst());
        problems.check();
      }
    } catch (NetlinkException e) {
      throw failure(e);
    }
  }

  /** A scheduler that the kernel does not have, and what to do. */
  static String missing(String scheduler) {
    return "this kernel does not have the scheduler "
        + scheduler
        + "; load the module ip_vs_"
        + scheduler
        + ", or choose another one with --ipvs-scheduler";
  }

  private static BackendException failure(NetlinkException e) {
    return e.errno() == Errno.EPERM
        ? new BackendException(
            ErrorCode.PRIVILEGES, "ipvs: not permitted; run as root or with CAP_NET_ADMIN", e)
        : new BackendException("ipvs: " + e.getMessage(), e);
  }
}
