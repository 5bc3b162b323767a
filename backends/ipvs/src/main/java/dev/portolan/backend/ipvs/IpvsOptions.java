package dev.portolan.backend.ipvs;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Dataplane;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.Timeouts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How the backend works.
 *
 * @param namespace the network namespace to work in, if not this process's own
 * @param masqueradeBit which bit of a packet's mark asks for masquerading
 * @param scheduler how virtual servers spread connections, by the kernel's name
 * @param strictArp whether the node answers ARP for an address only on the device that has it
 * @param timeouts after how long connections are forgotten; 0 leaves the kernel's value
 * @param excluded virtual servers in these ranges are another program's, and never removed
 */
public record IpvsOptions(
    Optional<Path> namespace,
    int masqueradeBit,
    String scheduler,
    boolean strictArp,
    Timeouts timeouts,
    List<Cidr> excluded) {
  /**
   * The device that holds the addresses of services; that of kube-proxy, so that one can take over
   * from the other in place.
   */
  public static final String DEVICE = "kube-ipvs0";

  /** The nftables table beside the virtual servers. */
  public static final String TABLE = "portolan-ipvs";

  /** Scheduler {@code rr}, bit 14, the kernel's timeouts, this process's namespace. */
  public static final IpvsOptions DEFAULT =
      new IpvsOptions(Optional.empty(), 14, "rr", false, new Timeouts(0, 0, 0), List.of());

  public IpvsOptions {
    excluded = List.copyOf(excluded);
    if (masqueradeBit < 0 || masqueradeBit > 31) {
      throw new IllegalArgumentException(
          "the masquerade bit must be between 0 and 31, not " + masqueradeBit);
    }
  }

  /** The same in another network namespace. */
  public IpvsOptions in(Optional<Path> other) {
    return new IpvsOptions(other, masqueradeBit, scheduler, strictArp, timeouts, excluded);
  }

  /** What happens to packets here, where it is not exactly what was decided. */
  public Dataplane dataplane() {
    return new IpvsDataplane();
  }

  /** Whether {@code address} lies in a range whose virtual servers are another program's. */
  boolean excludes(Ip address) {
    return excluded.stream().anyMatch(range -> range.contains(address));
  }

  /** The flags of its scheduler; {@code mh} counts the client's port, as kube-proxy's does. */
  int flags() {
    return scheduler.equals(SchedulerChoice.MAGLEV) ? ServiceSettings.PORT : 0;
  }

  /** The bit as a number. */
  int mark() {
    return 1 << masqueradeBit;
  }
}
