package dev.portolan.netlink.conntrack;

import dev.portolan.netlink.AddressFamily;
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
    Attributes addresses = tuple.nested(ConntrackConstants.TUPLE_IP);
    Attributes protocol = tuple.nested(ConntrackConstants.TUPLE_PROTOCOL);
    return new Tuple(
        address(addresses, ConntrackConstants.IPV4_SOURCE, ConntrackConstants.IPV6_SOURCE),
        protocol.u16(ConntrackConstants.SOURCE_PORT),
        address(
            addresses, ConntrackConstants.IPV4_DESTINATION, ConntrackConstants.IPV6_DESTINATION),
        protocol.u16(ConntrackConstants.DESTINATION_PORT),
        tuple.u16(ConntrackConstants.TUPLE_ZONE));
  }

  private static InetAddress address(Attributes addresses, int ipv4, int ipv6) {
    return addresses
        .first(ipv4)
        .or(() -> addresses.first(ipv6))
        .orElseThrow(() -> new NetlinkException("the kernel sent a flow without addresses"))
        .toAddress();
  }

  void write(MessageWriter writer, int type, int protocol) {
    boolean ipv4 = AddressFamily.of(source) == AddressFamily.IPV4;
    int from = ipv4 ? ConntrackConstants.IPV4_SOURCE : ConntrackConstants.IPV6_SOURCE;
    int to = ipv4 ? ConntrackConstants.IPV4_DESTINATION : ConntrackConstants.IPV6_DESTINATION;
    writer.nest(
        type,
        () -> {
          writer.nest(
              ConntrackConstants.TUPLE_IP,
              () -> writer.bytes(from, source.getAddress()).bytes(to, destination.getAddress()));
          writer.nest(
              ConntrackConstants.TUPLE_PROTOCOL,
              () ->
                  writer
                      .u8(ConntrackConstants.PROTOCOL_NUMBER, protocol)
                      .u16(ConntrackConstants.SOURCE_PORT, sourcePort)
                      .u16(ConntrackConstants.DESTINATION_PORT, destinationPort));
          if (zone != 0) {
            writer.u16(ConntrackConstants.TUPLE_ZONE, zone);
          }
        });
  }
}
