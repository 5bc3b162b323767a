package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * What a virtual service of IPVS is known by: address, protocol and port, or a mark on its packets.
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

  /** Reads an answer of the kernel. */
  static VirtualService read(Message message) {
    return read(message.attributes(HEADER).nested(SERVICE));
  }

  static VirtualService read(Attributes service) {
    return new VirtualService(
        IpvsValues.u16(service.bytes(PROTOCOL)),
        IpvsValues.address(IpvsValues.u16(service.bytes(FAMILY)), service.bytes(ADDRESS)),
        service.u16(PORT),
        service.nativeU32(MARK));
  }

  /** Writes what the service is known by. */
  void write(MessageWriter writer) {
    writer.nest(SERVICE, () -> writeKey(writer));
  }

  /** Writes what the service is known by, into the attribute that the caller has begun. */
  void writeKey(MessageWriter writer) {
    writer.bytes(FAMILY, IpvsValues.bytes(AddressFamily.of(address).number()));
    if (mark != 0) {
      writer.bytes(MARK, MessageWriter.nativeBytes(mark));
    } else {
      writer.bytes(PROTOCOL, IpvsValues.bytes(protocol));
      writer.bytes(ADDRESS, Arrays.copyOf(address.getAddress(), IpvsValues.ADDRESS_LENGTH));
      writer.u16(PORT, port);
    }
  }

  /** The service as ipvsadm writes it, with the protocol in front. */
  @Override
  public String toString() {
    if (mark != 0) {
      return "mark " + Integer.toUnsignedString(mark);
    }
    String name =
        switch (protocol) {
          case 6 -> "tcp";
          case 17 -> "udp";
          case 132 -> "sctp";
          default -> "protocol " + protocol;
        };
    return name + " " + IpvsValues.withPort(address, port);
  }
}
