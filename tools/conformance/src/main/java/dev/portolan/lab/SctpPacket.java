package dev.portolan.lab;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first two packets of an SCTP association, as RFC 9260 has them: INIT, and INIT ACK whose
 * state cookie carries the {@link AnswerLine}. That is all that a packet filter needs to see.
 *
 * @param tag the sender's tag, which packets to it carry
 * @param cookie the state cookie; empty in an INIT
 */
record SctpPacket(int sourcePort, int port, int chunk, int tag, String cookie) {
  static final int PROTOCOL = 132;
  static final int INIT = 1;
  static final int INIT_ACK = 2;

  private static final int COMMON = 12;
  private static final int CHUNK = 20;
  private static final int STATE_COOKIE = 7;

  /** The bytes; {@code peerTag} is the receiver's tag, 0 in an INIT. */
  byte[] encode(int peerTag) {
    byte[] text = cookie.getBytes(StandardCharsets.US_ASCII);
    int parameter = text.length == 0 ? 0 : 4 + text.length;
    int padded = (parameter + 3) / 4 * 4;
    ByteBuffer buffer = ByteBuffer.allocate(COMMON + CHUNK + padded);
    buffer.putShort((short) sourcePort).putShort((short) port).putInt(peerTag).putInt(0);
    buffer.put((byte) chunk).put((byte) 0).putShort((short) (CHUNK + parameter));
    buffer.putInt(tag).putInt(65_536).putShort((short) 1).putShort((short) 1).putInt(1);
    if (parameter > 0) {
      buffer.putShort((short) STATE_COOKIE).putShort((short) parameter).put(text);
    }
    buffer.order(ByteOrder.LITTLE_ENDIAN).putInt(8, checksum(buffer.array()));
    return buffer.array();
  }

  /** Reads an INIT or INIT ACK that the sender of {@code wantedTag} may believe. */
  static Optional<SctpPacket> decode(ByteBuffer buffer, int wantedTag) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    if (bytes.length < COMMON + CHUNK) {
      return Optional.empty();
    }
    int source = Short.toUnsignedInt(buffer.getShort());
    int port = Short.toUnsignedInt(buffer.getShort());
    int addressed = buffer.getInt();
    int sum = Integer.reverseBytes(buffer.getInt());
    int chunk = buffer.get();
    int length = Short.toUnsignedInt(buffer.getShort(COMMON + 2));
    int tag = buffer.getInt(COMMON + 4);
    byte[] zeroed = bytes.clone();
    ByteBuffer.wrap(zeroed).putInt(8, 0);
    if ((chunk != INIT && chunk != INIT_ACK)
        || addressed != wantedTag
        || sum != checksum(zeroed)
        || length < CHUNK
        || bytes.length < COMMON + length) {
      return Optional.empty();
    }
    int text = Math.max(0, length - CHUNK - 4);
    String cookie = new String(bytes, COMMON + length - text, text, StandardCharsets.US_ASCII);
    return Optional.of(new SctpPacket(source, port, chunk, tag, cookie));
  }

  /** The checksum of a packet whose own field is 0. */
  private static int checksum(byte[] packet) {
    CRC32C crc = new CRC32C();
    crc.update(packet);
    return (int) crc.getValue();
  }
}
