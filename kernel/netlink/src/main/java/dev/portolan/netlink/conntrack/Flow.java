package dev.portolan.netlink.conntrack;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import java.util.Locale;

/**
 * A flow that the kernel tracks.
 *
 * @param protocol the number of its protocol, such as {@link #UDP}
 * @param original the direction of its first packet, before any address was rewritten
 * @param reply the direction of the answers as they come in: its source is where packets really go
 * @param id distinguishes it from an earlier flow with the same addresses, unless both had the same
 *     place in the kernel's memory
 * @param zone 0 unless rules keep flows apart in zones
 */
public record Flow(
    AddressFamily family,
    int protocol,
    Tuple original,
    Tuple reply,
    int id,
    int status,
    int mark,
    int zone) {
  public static final int TCP = 6;
  public static final int UDP = 17;
  public static final int SCTP = 132;

  /** The bit of {@code status} that says that the destination was rewritten. */
  public static final int DESTINATION_NAT = 1 << 5;

  /** The bit of {@code status} that says that there was a packet in both directions. */
  public static final int SEEN_REPLY = 1 << 1;

  private static final int HEADER = 4;

  /** Whether packets go elsewhere than to their destination. */
  public boolean isDestinationRewritten() {
    return original.destinationPort() != reply.sourcePort()
        || !original.destination().equals(reply.source());
  }

  /** Whether its destination has answered. */
  public boolean isReplied() {
    return (status & SEEN_REPLY) != 0;
  }

  /** {@code udp 10.0.0.1:4000 -> 10.96.0.10:53 (by 10.244.0.2:53)}. */
  @Override
  public String toString() {
    String name =
        switch (protocol) {
          case TCP -> "tcp";
          case UDP -> "udp";
          case SCTP -> "sctp";
          default -> String.format(Locale.ROOT, "protocol %d", protocol);
        };
    String target =
        isDestinationRewritten()
            ? " (at " + reply.source().getHostAddress() + " port " + reply.sourcePort() + ")"
            : "";
    return name + " " + original + target;
  }

  static Flow read(Message message) {
    Attributes attributes = message.attributes(HEADER);
    Attributes original = attributes.nested(ConntrackConstants.TUPLE_ORIGINAL);
    return new Flow(
        message.body().get(message.body().position()) == AddressFamily.IPV6.number()
            ? AddressFamily.IPV6
            : AddressFamily.IPV4,
        original.nested(ConntrackConstants.TUPLE_PROTOCOL).u8(ConntrackConstants.PROTOCOL_NUMBER),
        Tuple.read(original),
        Tuple.read(attributes.nested(ConntrackConstants.TUPLE_REPLY)),
        attributes.u32(ConntrackConstants.ID),
        attributes.u32(ConntrackConstants.STATUS),
        attributes.u32(ConntrackConstants.MARK),
        attributes.u16(ConntrackConstants.ZONE));
  }
}
