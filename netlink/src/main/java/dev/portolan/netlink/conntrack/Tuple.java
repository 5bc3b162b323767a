package dev.portolan.netlink.conntrack;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkException;
import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * One direction of a flow, as its packets come in.
 *
 * @param sourcePort 0 where the protocol has no ports
 * @param zone a zone of this direction alone; nearly always 0
 */
public record Tuple(
    InetAddress source, int sourcePort, InetAddress destination, int destinationPort, int zone) {
  /** {@code source:port -> destination:port}. */
  @Override
  public String toString() {
    return withPort(source, sourcePort) + " -> " + withPort(destination, destinationPort);
  }

  private static String withPort(InetAddress address, int port) {
    String text = address.getHostAddress();
    return (address instanceof Inet4Address ? text : "[" + text + "]") + ":" + port;
  }

  static Tuple read(Attributes tuple) {
    Attributes addresses = tuple.nested(Protocol.TUPLE_IP);
    Attributes protocol = tuple.nested(Protocol.TUPLE_PROTOCOL);
    return new Tuple(
        address(addresses, Protocol.IPV4_SOURCE, Protocol.IPV6_SOURCE),
        protocol.u16(Protocol.SOURCE_PORT),
        address(addresses, Protocol.IPV4_DESTINATION, Protocol.IPV6_DESTINATION),
        protocol.u16(Protocol.DESTINATION_PORT),
        tuple.u16(Protocol.TUPLE_ZONE));
  }

  private static InetAddress address(Attributes addresses, int ipv4, int ipv6) {
    return addresses
        .first(ipv4)
        .or(() -> addresses.first(ipv6))
        .orElseThrow(() -> new NetlinkException("the kernel sent a flow without addresses"))
        .toAddress();
  }

  void write(MessageWriter writer, int type, int protocol) {
    boolean ipv4 = source instanceof Inet4Address;
    int tuple = writer.beginNest(type);
    int addresses = writer.beginNest(Protocol.TUPLE_IP);
    writer.bytes(ipv4 ? Protocol.IPV4_SOURCE : Protocol.IPV6_SOURCE, source.getAddress());
    writer.bytes(
        ipv4 ? Protocol.IPV4_DESTINATION : Protocol.IPV6_DESTINATION, destination.getAddress());
    writer.endNest(addresses);
    int ports = writer.beginNest(Protocol.TUPLE_PROTOCOL);
    writer.u8(Protocol.PROTOCOL_NUMBER, protocol);
    writer.u16(Protocol.SOURCE_PORT, sourcePort);
    writer.u16(Protocol.DESTINATION_PORT, destinationPort);
    writer.endNest(ports);
    if (zone != 0) {
      writer.u16(Protocol.TUPLE_ZONE, zone);
    }
    writer.endNest(tuple);
  }
}
