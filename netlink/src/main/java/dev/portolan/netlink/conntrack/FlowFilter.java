package dev.portolan.netlink.conntrack;

import dev.portolan.netlink.MessageWriter;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Which flows are wanted. The kernel is asked to send no others; what it cannot do, or is too old
 * to know, is done here.
 *
 * @param status bits that must be set, such as {@link Flow#DESTINATION_NAT}
 * @param destination where the first packet went, before any address was rewritten
 */
public record FlowFilter(
    boolean ipv6, int protocol, int status, Optional<Destination> destination) {
  /** An address and port. */
  public record Destination(InetAddress address, int port) {}

  /** Every flow of a family and protocol. */
  public static FlowFilter of(boolean ipv6, int protocol) {
    return new FlowFilter(ipv6, protocol, 0, Optional.empty());
  }

  /** Of these only flows whose status has all of these bits. */
  public FlowFilter withStatus(int bits) {
    return new FlowFilter(ipv6, protocol, bits, destination);
  }

  /** Of these only flows to one address and port. */
  public FlowFilter to(InetAddress address, int port) {
    return new FlowFilter(ipv6, protocol, status, Optional.of(new Destination(address, port)));
  }

  /** Whether a flow is wanted. */
  public boolean accepts(Flow flow) {
    return flow.ipv6() == ipv6
        && flow.protocol() == protocol
        && (flow.status() & status) == status
        && destination
            .filter(wanted ->
                !wanted.address.equals(flow.original().destination())
                    || wanted.port != flow.original().destinationPort())
            .isEmpty();
  }

  int family() {
    return ipv6 ? Protocol.FAMILY_IPV6 : Protocol.FAMILY_IPV4;
  }

  void write(MessageWriter writer) {
    if (status != 0) {
      writer.u32(Protocol.STATUS, status).u32(Protocol.STATUS_MASK, status);
    }
    int flags = Protocol.FILTER_ON_PROTOCOL;
    int tuple = writer.beginNest(Protocol.TUPLE_ORIGINAL);
    if (destination.isPresent()) {
      flags |= Protocol.FILTER_ON_DESTINATION_PORT;
      // Kernels that were seen so far have the comparison of IPv6 addresses the wrong way round.
      if (!ipv6) {
        flags |= Protocol.FILTER_ON_DESTINATION;
        int addresses = writer.beginNest(Protocol.TUPLE_IP);
        writer.bytes(Protocol.IPV4_DESTINATION, destination.get().address.getAddress());
        writer.endNest(addresses);
      }
    }
    int ports = writer.beginNest(Protocol.TUPLE_PROTOCOL);
    writer.u8(Protocol.PROTOCOL_NUMBER, protocol);
    destination.ifPresent(wanted -> writer.u16(Protocol.DESTINATION_PORT, wanted.port));
    writer.endNest(ports);
    writer.endNest(tuple);
    int filter = writer.beginNest(Protocol.FILTER);
    writer.bytes(Protocol.FILTER_ORIGINAL, MessageWriter.nativeBytes(flags));
    writer.endNest(filter);
  }
}
