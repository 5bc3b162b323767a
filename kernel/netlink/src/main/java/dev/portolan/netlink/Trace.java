package dev.portolan.netlink;

import dev.portolan.netlink.MessageReader.Message;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Prints every message that goes over a netlink socket, one line per message on stderr, where the
 * environment variable {@code PORTOLAN_NETLINK_TRACE} is set.
 */
final class Trace {
  private static final boolean ENABLED = System.getenv("PORTOLAN_NETLINK_TRACE") != null;

  private Trace() {}

  /** Messages on their way to the kernel. */
  static void sent(int port, MessageWriter messages) {
    if (ENABLED) {
      print(port, "send", Arrays.copyOf(messages.array(), messages.length()));
    }
  }

  /** Messages of the kernel. */
  static void received(int port, byte[] datagram) {
    if (ENABLED) {
      print(port, "receive", datagram);
    }
  }

  private static void print(int port, String direction, byte[] datagram) {
    try {
      MessageReader messages = new MessageReader(datagram);
      for (Optional<Message> next = messages.next(); next.isPresent(); next = messages.next()) {
        System.err.println("netlink " + port + " " + direction + " " + line(next.get()));
      }
    } catch (NetlinkException e) {
      System.err.println("netlink " + port + " " + direction + " " + e.getMessage());
    }
  }

  /** A message as type, flags, sequence number and the bytes after the header. */
  static String line(Message message) {
    ByteBuffer body = message.body();
    byte[] bytes = new byte[body.remaining()];
    body.get(body.position(), bytes);
    HexFormat hex = HexFormat.of();
    return "type "
        + message.type()
        + " flags 0x"
        + hex.toHexDigits((short) message.flags())
        + " sequence "
        + message.sequence()
        + " "
        + hex.formatHex(bytes);
  }
}
