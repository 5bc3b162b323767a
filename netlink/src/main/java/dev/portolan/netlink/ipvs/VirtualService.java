package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A virtual service of IPVS: known by address, protocol and port, or by a mark on its packets.
 *
 * @param protocol the number of its protocol; 0 where a mark tells
 * @param address unspecified where a mark tells
 * @param mark 0 where address, protocol and port tell
 */
public record VirtualService(int protocol, InetAddress address, int port, int mark) {
  static final int SERVICE = 1;

  private static final int HEADER = 4;
  private static final int FAMILY = 1;
  private static final int PROTOCOL = 2;
  private static final int ADDRESS = 3;
  private static final int PORT = 4;
  private static final int MARK = 5;
  private static final int ADDRESS_LENGTH = 16;

  /** Reads an answer of the kernel. */
  static VirtualService read(Message message) {
    Attributes service = message.attributes(HEADER).nested(SERVICE);
    int length =
        nativeU16(service.bytes(FAMILY)) == AddressFamily.IPV6.number() ? ADDRESS_LENGTH : 4;
    // The kernel sends room for an IPv6 address, or nothing, whatever the family is.
    byte[] address = Arrays.copyOf(service.bytes(ADDRESS), length);
    try {
      return new VirtualService(
          nativeU16(service.bytes(PROTOCOL)),
          InetAddress.getByAddress(address),
          service.u16(PORT),
          service.nativeU32(MARK));
    } catch (UnknownHostException e) {
      throw new NetlinkException("the kernel sent a virtual service without an address", e);
    }
  }

  /** Writes what the service is known by. */
  void write(MessageWriter writer) {
    writer.nest(
        SERVICE,
        () -> {
          writer.bytes(FAMILY, nativeBytes(AddressFamily.of(address).number()));
          if (mark != 0) {
            writer.bytes(MARK, MessageWriter.nativeBytes(mark));
          } else {
            writer.bytes(PROTOCOL, nativeBytes(protocol));
            writer.bytes(ADDRESS, Arrays.copyOf(address.getAddress(), ADDRESS_LENGTH));
            writer.u16(PORT, port);
          }
        });
  }

  /** The service as ipvsadm writes it, with the protocol in front. */
  @Override
  public String toString() {
    if (mark != 0) {
      return "mark " + mark;
    }
    String name =
        switch (protocol) {
          case 6 -> "tcp";
          case 17 -> "udp";
          case 132 -> "sctp";
          default -> "protocol " + protocol;
        };
    String host = address.getHostAddress();
    return name + " " + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  private static int nativeU16(byte[] value) {
    return value.length < 2
        ? 0
        : Short.toUnsignedInt(ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()).getShort());
  }

  private static byte[] nativeBytes(int value) {
    return ByteBuffer.allocate(2).order(ByteOrder.nativeOrder()).putShort((short) value).array();
  }
}
