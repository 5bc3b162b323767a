package dev.portolan.backend.ipvs;

import dev.portolan.core.backend.SyncProblems;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.route.Links;

/** What the kernel refused while the rest was done, in sentences. */
final class IpvsProblems extends SyncProblems {
  private static final int NO_FAMILY = 97;

  IpvsProblems() {
    super("ipvs: ");
  }

  /** What the kernel refused, with what can be done about it. */
  void add(IpvsOrder.Refusal refusal) {
    IpvsOrder order = refusal.order();
    boolean ofServer = order.server() != null;
    switch (refusal.errno()) {
      case Errno.EPERM ->
          add(ErrorCode.PRIVILEGES, "not permitted; run as root or with CAP_NET_ADMIN");
      case Errno.ENOENT -> {
        if (ofServer || order.settings() == null) {
          rejected(refusal);
        } else {
          add(ErrorCode.HOST, IpvsRequirements.missing(order.settings().scheduler()));
        }
      }
      case Errno.EBUSY ->
          add(
              ErrorCode.RULES_REJECTED,
              "cannot " + order + ": another program is changing IPVS; it is tried again");
      case NO_FAMILY ->
          add(
              ErrorCode.HOST,
              "cannot " + order + ": IPVS of this kernel does not have that family of addresses");
      default -> rejected(refusal);
    }
  }

  private void rejected(IpvsOrder.Refusal refusal) {
    add(
        ErrorCode.RULES_REJECTED,
        "cannot "
            + refusal.order()
            + ": "
            + Errno.text(refusal.errno())
            + (refusal.text().isEmpty() ? "" : " (" + refusal.text() + ")"));
  }

  /** An address that could not be put on the device, or taken from it. */
  void add(String what, String device, Links.AddressRefusal refusal) {
    add(
        refusal.errno() == Errno.EPERM ? ErrorCode.PRIVILEGES : ErrorCode.RULES_REJECTED,
        "cannot "
            + what
            + " address "
            + refusal.address().getHostAddress()
            + " on "
            + device
            + ": "
            + Errno.text(refusal.errno()));
  }
}
