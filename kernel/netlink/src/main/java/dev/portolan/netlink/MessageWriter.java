package dev.portolan.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes netlink messages one after another. Headers are in the machine's byte order, values of
 * netfilter in that of the network.
 */
public final class MessageWriter {
  /** Asks for an answer. */
  public static final int REQUEST = 1;

  /** Asks for an acknowledgement. */
  public static final int ACK = 4;

  /** Asks for everything. */
  public static final int DUMP = 0x300;

  /** Says that what exists may stay. */
  public static final int CREATE = 0x400;

  /** Says that it must not exist yet. */
  public static final int EXCLUSIVE = 0x200;

  /** What is there already is replaced. */
  public static final int REPLACE = 0x100;

  /** Says that it comes after what is there. */
  public static final int APPEND = 0x800;

  private static final int NESTED = 0x8000;
  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private byte[] bytes;
  private int position;
  private int messageStart = -1;

  /** An empty buffer that grows as needed. */
  public MessageWriter() {
    bytes = new byte[4096];
  }

  /** Starts a message; {@code flags} say what is asked for, {@code sequence} marks the answers. */
  public MessageWriter begin(int type, int flags, int sequence) {
    messageStart = position;
    nativeInt(0);
    nativeShort(type);
    nativeShort(flags);
    nativeInt(sequence);
    nativeInt(0);
    return this;
  }

  /** Ends the message that was begun last. */
  public MessageWriter end() {
    setNativeInt(messageStart, position - messageStart);
    align();
    messageStart = -1;
    return this;
  }

  /** Adds bytes as they are, such as a family's own header. */
  public MessageWriter raw(int... octets) {
    room(octets.length);
    for (int octet : octets) {
      bytes[position++] = (byte) octet;
    }
    return this;
  }

  /** Adds whole messages or attributes that were written elsewhere. */
  public MessageWriter rawBytes(byte[] value) {
    put(value);
    return this;
  }

  /** Adds flags to the message that starts at {@code start}. */
  public void addFlags(int start, int flags) {
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    header.putShort(start + 6, (short) (header.getShort(start + 6) | flags));
  }

  /** Writes over the 32 bits in network order that start at {@code start}. */
  public void setU32(int start, int value) {
    bytes[start] = (byte) (value >>> 24);
    bytes[start + 1] = (byte) (value >>> 16);
    bytes[start + 2] = (byte) (value >>> 8);
    bytes[start + 3] = (byte) value;
  }

  /** An attribute that holds others, which {@code content} writes. */
  public MessageWriter nest(int type, Runnable content) {
    int start = open(type);
    content.run();
    return close(start);
  }

  /** Starts an attribute that holds others, up to where {@link #close} gets what this returns. */
  public int open(int type) {
    int start = position;
    nativeShort(0);
    nativeShort(type | NESTED);
    return start;
  }

  /** Ends an attribute that holds others. */
  public MessageWriter close(int start) {
    int length = position - start;
    if (length > 0xffff) {
      throw new IllegalStateException("a nested attribute of " + length + " bytes is too long");
    }
    setNativeShort(start, length);
    return this;
  }

  /** An attribute with a text, ended by a zero as the kernel wants it. */
  public MessageWriter text(int type, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    nativeShort(5 + utf8.length);
    nativeShort(type);
    put(utf8);
    raw(0);
    align();
    return this;
  }

  /** An attribute with bytes. */
  public MessageWriter bytes(int type, byte[] value) {
    nativeShort(4 + value.length);
    nativeShort(type);
    put(value);
    align();
    return this;
  }

  /** An attribute with 32 bits in network order. */
  public MessageWriter u32(int type, int value) {
    nativeShort(8);
    nativeShort(type);
    room(4);
    setU32(position, value);
    position += 4;
    return this;
  }

  /** An attribute with 64 bits in network order. */
  public MessageWriter u64(int type, long value) {
    return bytes(type, ByteBuffer.allocate(8).putLong(value).array());
  }

  /** An attribute with 16 bits in network order. */
  public MessageWriter u16(int type, int value) {
    return bytes(type, new byte[] {(byte) (value >>> 8), (byte) value});
  }

  /** An attribute with 8 bits. */
  public MessageWriter u8(int type, int value) {
    return bytes(type, new byte[] {(byte) value});
  }

  /** How many bytes have been written. */
  public int length() {
    return position;
  }

  /** What has been written since {@code start}, as bytes of its own. */
  public byte[] copyFrom(int start) {
    return Arrays.copyOfRange(bytes, start, position);
  }

  /** Forgets everything but the first {@code length} bytes. */
  public void cut(int length) {
    position = length;
  }

  byte[] array() {
    return bytes;
  }

  /** 32 bits as the machine orders them, for values that the kernel keeps so. */
  public static byte[] nativeBytes(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(value).array();
  }

  private void put(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, position, value.length);
    position += value.length;
  }

  private void align() {
    room(3);
    while (position % 4 != 0) {
      bytes[position++] = 0;
    }
  }

  private void nativeShort(int value) {
    room(2);
    setNativeShort(position, value);
    position += 2;
  }

  private void nativeInt(int value) {
    room(4);
    setNativeInt(position, value);
    position += 4;
  }

  private void setNativeShort(int at, int value) {
    bytes[at] = (byte) (LITTLE ? value : value >>> 8);
    bytes[at + 1] = (byte) (LITTLE ? value >>> 8 : value);
  }

  private void setNativeInt(int at, int value) {
    setNativeShort(LITTLE ? at : at + 2, value);
    setNativeShort(LITTLE ? at + 2 : at, value >>> 16);
  }

  private void room(int more) {
    if (position + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, position + more));
    }
  }
}
