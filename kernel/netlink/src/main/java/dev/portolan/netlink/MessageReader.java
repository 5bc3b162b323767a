package dev.portolan.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the messages of one datagram. Whatever the bytes are, it ends: a length that does not fit
 * is an exception, never a loop or an access outside.
 */
public final class MessageReader {
  /** An error, or with 0 an acknowledgement. */
  public static final int TYPE_ERROR = 2;

  /** The end of a dump. */
  public static final int TYPE_DONE = 3;

  /** Messages were lost. */
  public static final int TYPE_OVERRUN = 4;

  private static final int HEADER = 16;
  private static final int FLAG_CAPPED = 0x100;
  private static final int FLAG_ACK_TLVS = 0x200;
  private static final int FLAG_DUMP_INTERRUPTED = 0x10;

  private final ByteBuffer bytes;

  /**
   * One message; {@code port} is the socket that it answers or that caused it, {@code body} is what
   * comes after the header.
   */
  public record Message(int type, int flags, int sequence, int port, ByteBuffer body) {
    /** Whether a change came in between, so that the dump must be repeated. */
    public boolean isInterrupted() {
      return (flags & FLAG_DUMP_INTERRUPTED) != 0;
    }

    /** The errno of an error message; 0 for an acknowledgement. */
    public int errno() {
      if (body.remaining() < 4) {
        throw new NetlinkException("the kernel sent an error message that is too short");
      }
      return -body.getInt(body.position());
    }

    /** The errno with which a dump ended; 0 where it was whole. */
    public int doneErrno() {
      return body.remaining() < 4 ? 0 : Math.max(0, -body.getInt(body.position()));
    }

    /** The kernel's own text for an error, if there is one; empty if it cannot be read. */
    public String errorText() {
      int skip = type == TYPE_DONE ? 4 : 4 + HEADER;
      if ((flags & FLAG_ACK_TLVS) == 0 || body.remaining() < skip) {
        return "";
      }
      if (type != TYPE_DONE && (flags & FLAG_CAPPED) == 0) {
        long original = Integer.toUnsignedLong(body.getInt(body.position() + 4));
        skip = (int) Math.min(body.remaining(), 4 + Math.max(HEADER, (original + 3) & ~3L));
      }
      try {
        return attributes(skip).text(1).orElse("");
      } catch (NetlinkException e) {
        return "";
      }
    }

    /** The attributes that follow a header of {@code skip} bytes. */
    public Attributes attributes(int skip) {
      if (body.remaining() < skip) {
        throw new NetlinkException("the kernel sent a message that is too short");
      }
      return new Attributes(body.slice(body.position() + skip, body.remaining() - skip));
    }
  }

  /** Reads the first {@code length} bytes. They are copied: the array may be used again. */
  public MessageReader(byte[] array, int length) {
    this(Arrays.copyOf(array, length));
  }

  /** Reads a whole datagram, which must not change any more. */
  MessageReader(byte[] datagram) {
    bytes = ByteBuffer.wrap(datagram).order(ByteOrder.nativeOrder());
  }

  /** The whole datagram. */
  byte[] datagram() {
    return bytes.array();
  }

  /** The next message, if there is one. */
  public Optional<Message> next() {
    if (bytes.remaining() < HEADER) {
      return Optional.empty();
    }
    int start = bytes.position();
    int length = bytes.getInt(start);
    if (length < HEADER || length > bytes.remaining()) {
      throw new NetlinkException("the kernel sent a message with a wrong length, " + length);
    }
    Message message =
        new Message(
            Short.toUnsignedInt(bytes.getShort(start + 4)),
            Short.toUnsignedInt(bytes.getShort(start + 6)),
            bytes.getInt(start + 8),
            bytes.getInt(start + 12),
            bytes.slice(start + HEADER, length - HEADER).order(ByteOrder.nativeOrder()));
    bytes.position(Math.min(bytes.limit(), start + ((length + 3) & ~3)));
    return Optional.of(message);
  }
}
