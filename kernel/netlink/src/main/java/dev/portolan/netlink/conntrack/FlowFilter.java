package dev.portolan.netlink.conntrack;

import dev.portolan.netlink.AddressFamily;
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
    AddressFamily family, int protocol, int status, Optional<Destination> destination) {
  /** An address and port. */
  public record Destination(InetAddress address, int port) {}

  /** Every flow of a family and protocol. */
  public static FlowFilter of(AddressFamily family, int protocol) {
    return new FlowFilter(family, protocol, 0, Optional.empty());
  }

  /** Restricts it to flows whose status has all of these bits. */
  public FlowFilter withStatus(int bits) {
    return new FlowFilter(family, protocol, bits, destination);
  }

  /** Restricts it to flows to one address and port. */
  public FlowFilter to(InetAddress address, int port) {
    return new FlowFilter(family, protocol, status, Optional.of(new Destination(address, port)));
  }

  /** Whether a flow is wanted. */
  public boolean accepts(Flow flow) {
    return flow.family() == family
        && flow.protocol() == protocol
        && (flow.status() & status) == status
        && destination
            .filter(wanted ->
                !wanted.address.equals(flow.original().destination())
                    || wanted.port != flow.original().destinationPort())
            .isEmpty();
  }

  void write(MessageWriter writer) {
    if (status != 0) {
      writer.u32(ConntrackConstants.STATUS, status).u32(ConntrackConstants.STATUS_MASK, status);
    }
    // Kernels seen so far compare IPv6 addresses the wrong way round, so they filter on IPv4 only.
    boolean byAddress = destination.isPresent() && family == AddressFamily.IPV4;
    int flags =
        ConntrackConstants.FILTER_ON_PROTOCOL
            | (destination.isPresent() ? ConntrackConstants.FILTER_ON_DESTINATION_PORT : 0)
            | (byAddress ? ConntrackConstants.FILTER_ON_DESTINATION : 0);
    writer.nest(
        ConntrackConstants.TUPLE_ORIGINAL,
        () -> {
          if (byAddress) {
            byte[] address = destination.orElseThrow().address.getAddress();
            writer.nest(
                ConntrackConstants.TUPLE_IP,
                () -> writer.bytes(ConntrackConstants.IPV4_DESTINATION, address));
          }
          writer.nest(
              ConntrackConstants.TUPLE_PROTOCOL,
              () -> {
                writer.u8(ConntrackConstants.PROTOCOL_NUMBER, protocol);
                destination.ifPresent(
                    it -> writer.u16(ConntrackConstants.DESTINATION_PORT, it.port));
              });
        });
    writer.nest(
        ConntrackConstants.FILTER,
        () -> writer.bytes(ConntrackConstants.FILTER_ORIGINAL, MessageWriter.nativeBytes(flags)));
  }
}
