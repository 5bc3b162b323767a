package dev.portolan.source.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * What a file looks like: a header, then frames. The bytes of all frames are one deflate stream,
 * flushed at the end of each frame, so that a change costs only what is new in it, and what was
 * written is readable up to the last whole frame. README.md has the picture.
 */
final class Frames {
  /** The version that this Portolan writes, and the newest that it reads. */
  static final int VERSION = 1;

  static final byte[] MAGIC = "PORTOLAN".getBytes(StandardCharsets.US_ASCII);

  /** Magic and version. */
  static final int FILE_HEADER = MAGIC.length + Integer.BYTES;

  /** Length of the bytes, flags, checksum. */
  static final int FRAME_HEADER = Integer.BYTES + 1 + Integer.BYTES;

  /** A new deflate stream begins with the frame. */
  static final byte FRESH = 1;

  /**
   * Nothing longer is written or read, neither the bytes of a frame nor what they inflate to: a
   * small file must not take all memory.
   */
  static final int LONGEST = 64 << 20;

  private Frames() {}

  static byte[] fileHeader() {
    return ByteBuffer.allocate(FILE_HEADER).put(MAGIC).putInt(VERSION).array();
  }

  /** The checksum over everything that a frame consists of, except itself. */
  static int checksum(int length, byte flags, ByteBuffer bytes) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.allocate(Integer.BYTES + 1).putInt(length).put(flags).flip());
    sum.update(bytes);
    return (int) sum.getValue();
  }
}
