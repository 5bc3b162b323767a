package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.AddressFamily;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** How IPVS writes numbers and addresses: as the machine orders them, in room for IPv6. */
final class IpvsValues {
  static final int ADDRESS_LENGTH = 16;

  private IpvsValues() {}

  /** 16 bits as the machine orders them; 0 where there are fewer. */
  static int u16(byte[] value) {
    return value.length < 2
        ? 0
        : Short.toUnsignedInt(ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()).getShort());
  }

  /** 64 bits as the machine orders them. */
  static long u64(long networkOrder) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? Long.reverseBytes(networkOrder)
        : networkOrder;
  }

  static byte[] bytes(int value) {
    return ByteBuffer.allocate(2).order(ByteOrder.nativeOrder()).putShort((short) value).array();
  }

  /** The kernel sends room for an IPv6 address, or nothing, whatever the family is. */
  static InetAddress address(int family, byte[] room) {
    boolean six = family == AddressFamily.IPV6.number();
    return AddressFamily.address(Arrays.copyOf(room, six ? ADDRESS_LENGTH : 4));
  }

  static String withPort(InetAddress address, int port) {
    String host = address.getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
