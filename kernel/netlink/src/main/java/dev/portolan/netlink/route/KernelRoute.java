package dev.portolan.netlink.route;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;

/**
 * A route of the kernel.
 *
 * @param destination the first address of the range that it is for
 * @param prefix how many bits of it count
 * @param table {@link #LOCAL_TABLE}, {@link #MAIN_TABLE} or another
 * @param type what becomes of packets: {@link #UNICAST}, {@link #LOCAL} or another
 * @param link the index of the interface that they leave through; 0 where there is none
 * @param metric the lower of two equal ones wins
 * @param direct whether the hosts are at that interface, and not behind a gateway
 */
public record KernelRoute(
    InetAddress destination,
    int prefix,
    int table,
    int type,
    int link,
    int metric,
    boolean direct) {
  /** The table of this host's own addresses, which is asked first. */
  public static final int LOCAL_TABLE = 255;

  /** The table that is asked next. */
  public static final int MAIN_TABLE = 254;

  /** The table that is asked last. */
  public static final int DEFAULT_TABLE = 253;

  /** Packets are sent on. */
  public static final int UNICAST = 1;

  /** Packets are for this host. */
  public static final int LOCAL = 2;

  private static final int HEADER = 12;
  private static final int DESTINATION = 1;
  private static final int LINK = 4;
  private static final int GATEWAY = 5;
  private static final int METRIC = 6;
  private static final int PATHS = 9;
  private static final int TABLE = 15;

  /** A gateway of the other family. */
  private static final int VIA = 18;

  static KernelRoute read(Message message) {
    if (message.body().remaining() < HEADER) {
      throw new NetlinkException("the kernel sent a route that is too short");
    }
    int start = message.body().position();
    int family = message.body().get(start);
    Attributes attributes = message.attributes(HEADER);
    byte[] destination = attributes.bytes(DESTINATION);
    if (destination.length == 0) {
      destination = new byte[family == AddressFamily.IPV4.number() ? 4 : 16];
    }
    return new KernelRoute(
        AddressFamily.address(destination),
        Byte.toUnsignedInt(message.body().get(start + 1)),
        attributes.first(TABLE).isPresent()
            ? attributes.nativeU32(TABLE)
            : Byte.toUnsignedInt(message.body().get(start + 4)),
        Byte.toUnsignedInt(message.body().get(start + 7)),
        attributes.first(LINK).isPresent() ? attributes.nativeU32(LINK) : firstPath(attributes),
        attributes.nativeU32(METRIC),
        Stream.of(GATEWAY, VIA, PATHS).allMatch(each -> attributes.first(each).isEmpty()));
  }

  /** The interface of the first of several ways: a list of headers of 8 bytes with the index. */
  private static int firstPath(Attributes attributes) {
    byte[] paths = attributes.bytes(PATHS);
    return paths.length < 8 ? 0 : ByteBuffer.wrap(paths).order(ByteOrder.nativeOrder()).getInt(4);
  }
}
