package dev.portolan.netlink.route;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkException;
import java.net.InetAddress;

/**
 * An address of this node on one of its interfaces.
 *
 * @param prefix how many of its bits are those of the network
 * @param link the index of the interface
 * @param tentative whether it cannot be used yet: duplicate address detection is still running
 */
public record LinkAddress(InetAddress address, int prefix, int link, boolean tentative) {
  private static final int HEADER = 8;
  private static final int ADDRESS = 1;
  private static final int LOCAL = 2;
  private static final int FLAGS = 8;
  private static final int FLAG_TENTATIVE = 0x40;

  static LinkAddress read(Message message) {
    if (message.body().remaining() < HEADER) {
      throw new NetlinkException("the kernel sent an address that is too short");
    }
    int start = message.body().position();
    Attributes attributes = message.attributes(HEADER);
    // On a point-to-point link the first of the two is the other end's.
    Attributes.Attribute address =
        attributes
            .first(LOCAL)
            .or(() -> attributes.first(ADDRESS))
            .orElseThrow(
                () -> new NetlinkException("the kernel sent an address without any bytes"));
    int flags =
        attributes.first(FLAGS).isPresent()
            ? attributes.nativeU32(FLAGS)
            : message.body().get(start + 2);
    return new LinkAddress(
        address.toAddress(),
        Byte.toUnsignedInt(message.body().get(start + 1)),
        message.body().getInt(start + 4),
        (flags & FLAG_TENTATIVE) != 0);
  }

  /** {@code address/prefix}. */
  @Override
  public String toString() {
    return address.getHostAddress() + "/" + prefix;
  }
}
