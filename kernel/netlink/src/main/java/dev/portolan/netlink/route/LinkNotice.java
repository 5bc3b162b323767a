package dev.portolan.netlink.route;

/** What the kernel says about interfaces and their addresses. */
public sealed interface LinkNotice {
  /** An address is there; it may have been there before, with other properties. */
  record AddressAdded(LinkAddress address) implements LinkNotice {}

  /** An address is gone. */
  record AddressRemoved(LinkAddress address) implements LinkNotice {}

  /** An interface is new, or something about it changed. */
  record LinkChanged(Link link) implements LinkNotice {}

  /** An interface is gone. */
  record LinkRemoved(Link link) implements LinkNotice {}

  /** Notices were lost: everything may have changed. */
  record Lost(String reason) implements LinkNotice {}
}
