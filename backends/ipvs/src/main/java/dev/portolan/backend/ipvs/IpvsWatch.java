package dev.portolan.backend.ipvs;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.LinkMonitor;
import dev.portolan.netlink.route.LinkNotice;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Notices what others do to the virtual servers and to the device, and when the node's own
 * addresses change. The kernel reports changes of the device and the addresses, but not of IPVS: a
 * few virtual servers are looked up once a second, which finds that all were deleted; one alone is
 * found by the regular audit.
 */
final class IpvsWatch implements Backend.Watch {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final WatchedState watched;
  private final Consumer<String> suspicions;
  private final LinkMonitor monitor;
  private final Ipvs ipvs;
  private final Thread thread;

  /** Starts watching; {@code own} is the number of the socket that changes our addresses. */
  IpvsWatch(IpvsOptions options, WatchedState watched, int own, Consumer<String> suspicions) {
    this.watched = watched;
    this.suspicions = suspicions;
    this.ipvs = IpvsRequirements.connect(options.namespace());
    try {
      this.monitor = LinkMonitor.except(own, options.namespace());
    } catch (NetlinkException e) {
      ipvs.close();
      throw e;
    }
    this.thread = Threads.platform("ipvs-watch").lasting().unstarted(this::watch);
    thread.start();
  }

  @Override
  public void close() {
    monitor.close();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ipvs.close();
  }

  private void watch() {
    long next = System.nanoTime() + PERIOD.toNanos();
    try {
      while (!monitor.isClosed()) {
        Duration wait = Duration.ofNanos(Math.max(0, next - System.nanoTime()));
        monitor.next(wait).flatMap(this::read).ifPresent(suspicions);
        if (System.nanoTime() - next >= 0) {
          probe().ifPresent(suspicions);
          next = System.nanoTime() + PERIOD.toNanos();
        }
      }
    } catch (InterruptedException e) {
      // It was closed.
    }
  }

  private Optional<String> probe() {
    try {
      for (ServerKey key : watched.probes()) {
        if (ipvs.entry(key.service()).isEmpty() && watched.expects(key)) {
          return Optional.of("virtual server " + key + " is gone");
        }
      }
    } catch (NetlinkException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    return Optional.empty();
  }

  private Optional<String> read(LinkNotice notice) {
    return switch (notice) {
      case LinkNotice.AddressAdded added -> address(added.address(), true);
      case LinkNotice.AddressRemoved removed -> address(removed.address(), false);
      case LinkNotice.LinkChanged _ -> Optional.empty();
      case LinkNotice.LinkRemoved removed ->
          removed.link().index() == watched.device()
              ? Optional.of("device " + IpvsOptions.DEVICE + " was deleted")
              : Optional.empty();
      case LinkNotice.Lost lost -> Optional.of("lost notifications: " + lost.reason());
    };
  }

  private Optional<String> address(LinkAddress address, boolean there) {
    Ip ip = NodeAddresses.ip(address);
    if (address.link() != watched.device()) {
      return watched.news(ip, there);
    }
    return !there && watched.bound().contains(ip)
        ? Optional.of("address " + ip + " was removed from " + IpvsOptions.DEVICE)
        : Optional.empty();
  }
}
