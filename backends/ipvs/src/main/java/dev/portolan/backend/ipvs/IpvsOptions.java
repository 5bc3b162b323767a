package dev.portolan.backend.ipvs;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Dataplane;
import dev.portolan.netlink.ipvs.ServiceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the backend works.
 *
 * @param namespace the network namespace to work in, if not this process's own
 * @param device the name of the device that holds the addresses of services
 * @param table the name of the nftables table beside the virtual servers
 * @param masqueradeBit which bit of a packet's mark asks for masquerading
 * @param scheduler how virtual servers spread connections, by the kernel's name
 * @param schedulerFlags flags of the schedulers {@code sh} and {@code mh}, as {@link
 *     ServiceSettings} has them; {@code mh} always counts the client's port
 * @param strictArp whether the node answers ARP for an address only on the device that has it
 * @param tcpTimeout after how long without a packet a TCP connection is forgotten; zero leaves the
 *     kernel's value, as for the other two
 * @param tcpFinTimeout the same after a FIN
 * @param udpTimeout the same for UDP
 * @param excluded virtual servers in these ranges are another program's, and never removed
 * @param drainLimit how long connections to an endpoint that no longer serves may go on
 */
public record IpvsOptions(
    Optional<Path> namespace,
    String device,
    String table,
    int masqueradeBit,
    String scheduler,
    int schedulerFlags,
    boolean strictArp,
    Duration tcpTimeout,
    Duration tcpFinTimeout,
    Duration udpTimeout,
    List<Cidr> excluded,
    Duration drainLimit) {
  /** The device of kube-proxy, so that one can take over from the other in place. */
  public static final String DEVICE = "kube-ipvs0";

  /** Device {@code kube-ipvs0}, table {@code portolan-ipvs}, scheduler {@code rr}, bit 14. */
  public static final IpvsOptions DEFAULT =
      new IpvsOptions(
          Optional.empty(),
          DEVICE,
          "portolan-ipvs",
          14,
          "rr",
          0,
          false,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          List.of(),
          Duration.ofMinutes(15));

  private static final String MAGLEV = "mh";

  public IpvsOptions {
    excluded = List.copyOf(excluded);
    if (masqueradeBit < 0 || masqueradeBit > 31) {
      throw new IllegalArgumentException(
          "the masquerade bit must be between 0 and 31, not " + masqueradeBit);
    }
  }

  /** The same in another network namespace. */
  public IpvsOptions in(Optional<Path> other) {
    return new IpvsOptions(
        other,
        device,
        table,
        masqueradeBit,
        scheduler,
        schedulerFlags,
        strictArp,
        tcpTimeout,
        tcpFinTimeout,
        udpTimeout,
        excluded,
        drainLimit);
  }

  /** The same with another scheduler. */
  public IpvsOptions scheduler(String other) {
    return new IpvsOptions(
        namespace,
        device,
        table,
        masqueradeBit,
        other,
        schedulerFlags,
        strictArp,
        tcpTimeout,
        tcpFinTimeout,
        udpTimeout,
        excluded,
        drainLimit);
  }

  /** The same with ranges whose virtual servers are another program's. */
  public IpvsOptions excluding(List<Cidr> others) {
    return new IpvsOptions(
        namespace,
        device,
        table,
        masqueradeBit,
        scheduler,
        schedulerFlags,
        strictArp,
        tcpTimeout,
        tcpFinTimeout,
        udpTimeout,
        others,
        drainLimit);
  }

  /** What happens to packets here, where it is not exactly what was decided. */
  public Dataplane dataplane() {
    return new Dataplane(
        "ipvs",
        Dataplane.Guards.ASSIGNED_IPS,
        true,
        true,
        false,
        false,
        true,
        false,
        Optional.empty());
  }

  /** Whether {@code address} lies in a range whose virtual servers are another program's. */
  boolean excludes(Ip address) {
    return excluded.stream().anyMatch(range -> range.contains(address));
  }

  /** The flags of every virtual server, apart from persistence. */
  int flags() {
    return scheduler.equals(MAGLEV) ? schedulerFlags | ServiceSettings.PORT : schedulerFlags;
  }

  /** The bit as a number. */
  int mark() {
    return 1 << masqueradeBit;
  }
}
