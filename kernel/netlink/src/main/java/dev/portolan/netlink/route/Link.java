package dev.portolan.netlink.route;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkException;

/**
 * A network interface.
 *
 * @param kind what made it, such as {@code veth}; empty for hardware and loopback
 */
public record Link(int index, String name, boolean up, boolean loopback, int mtu, String kind) {
  private static final int HEADER = 16;
  private static final int FLAG_UP = 1;
  private static final int FLAG_LOOPBACK = 8;
  private static final int NAME = 3;
  private static final int MTU = 4;
  private static final int LINK_INFO = 18;
  private static final int INFO_KIND = 1;

  static Link read(Message message) {
    if (message.body().remaining() < HEADER) {
      throw new NetlinkException("the kernel sent a link that is too short");
    }
    int start = message.body().position();
    int flags = message.body().getInt(start + 8);
    Attributes attributes = message.attributes(HEADER);
    return new Link(
        message.body().getInt(start + 4),
        attributes.text(NAME).orElse(""),
        (flags & FLAG_UP) != 0,
        (flags & FLAG_LOOPBACK) != 0,
        attributes.nativeU32(MTU),
        attributes.nested(LINK_INFO).text(INFO_KIND).orElse(""));
  }
}
