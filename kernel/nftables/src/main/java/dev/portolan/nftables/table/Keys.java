package dev.portolan.nftables.table;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Builds the bytes of keys and data: parts one after another, each padded to 4 bytes. */
public final class Keys {
  /** Two addresses, a protocol, a port. */
  private static final int LONGEST = 40;

  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private final byte[] bytes = new byte[LONGEST];
  private int length;

  /** The protocol's number on the wire. */
  public static int number(Protocol protocol) {
    return switch (protocol) {
      case TCP -> 6;
      case UDP -> 17;
      case SCTP -> 132;
    };
  }

  /** An address. */
  public Keys ip(Ip address) {
    if (address.family() == IpFamily.IPV6) {
      part((int) (address.high() >>> 32));
      part((int) address.high());
      part((int) (address.low() >>> 32));
    }
    return part((int) address.low());
  }

  /** A protocol by its number. */
  public Keys protocol(Protocol protocol) {
    return part(number(protocol) << 24);
  }

  /** A port. */
  public Keys port(int port) {
    return part(port << 16);
  }

  /** An index as {@code numgen} gives it, in the machine's order. */
  public Keys index(int index) {
    return part(LITTLE ? Integer.reverseBytes(index) : index);
  }

  /** All parts so far. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  private Keys part(int bits) {
    bytes[length] = (byte) (bits >>> 24);
    bytes[length + 1] = (byte) (bits >>> 16);
    bytes[length + 2] = (byte) (bits >>> 8);
    bytes[length + 3] = (byte) bits;
    length += 4;
    return this;
  }
}
