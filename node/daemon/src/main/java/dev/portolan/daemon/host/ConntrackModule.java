package dev.portolan.daemon.host;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.conntrack.Conntrack;
import dev.portolan.netlink.conntrack.FlowFilter;
import java.util.Optional;

/** The kernel's module for connection tracking. */
final class ConntrackModule {
  /** A protocol for experiments: no flows are to be expected in the answer. */
  private static final int RARE_PROTOCOL = 253;

  private ConntrackModule() {}

  /**
   * Has the kernel load the module, by a question that it cannot answer without. Where that fails,
   * the settings stay missing, and writing them reports it.
   */
  static void load() {
    try (Conntrack conntrack = new Conntrack(Optional.empty())) {
      boolean _ = conntrack.forEach(FlowFilter.of(AddressFamily.IPV4, RARE_PROTOCOL), _ -> {});
    } catch (NetlinkException e) {
      return;
    }
  }
}
