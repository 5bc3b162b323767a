package dev.portolan.nftables.table;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.MessageWriter;
import java.io.ByteArrayOutputStream;

/** Builds the bytes of keys and data: parts one after another, each padded to 4 bytes. */
public final class Keys {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(40);

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
    bytes.writeBytes(address.toBytes());
    return this;
  }

  /** A protocol by its number. */
  public Keys protocol(Protocol protocol) {
    bytes.writeBytes(new byte[] {(byte) number(protocol), 0, 0, 0});
    return this;
  }

  /** A port. */
  public Keys port(int port) {
    bytes.writeBytes(new byte[] {(byte) (port >>> 8), (byte) port, 0, 0});
    return this;
  }

  /** An index as {@code numgen} gives it, in the machine's order. */
  public Keys index(int index) {
    bytes.writeBytes(MessageWriter.nativeBytes(index));
    return this;
  }

  /** All parts so far. */
  public byte[] toBytes() {
    return bytes.toByteArray();
  }
}
