package dev.portolan.source.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.zip.Deflater;

/** Appends frames to a file, each with one write, so that a killed process leaves whole frames. */
final class FrameWriter implements AutoCloseable {
  private final FileChannel file;
  private final LongConsumer room;
  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private byte[] buffer = new byte[8192];
  private long end;
  private boolean fresh = true;

  /**
   * Goes on after what is good in a file.
   *
   * @param end how many bytes are; 0 for a new file, which gets its header
   * @param room called with the number of bytes that come next, before they are written
   */
  FrameWriter(FileChannel file, long end, LongConsumer room) throws IOException {
    this.file = file;
    this.room = room;
    this.end = end;
    file.truncate(end);
    if (end == 0) {
      write(ByteBuffer.wrap(Frames.fileHeader()));
    }
  }

  /** How many bytes the file has. */
  long size() {
    return end;
  }

  /**
   * Appends a frame; where that fails, the file is as before, and what follows does not need it.
   */
  void append(byte[] content) throws IOException {
    if (content.length > Frames.LONGEST) {
      fresh = true;
      throw new IOException("an entry is longer than " + (Frames.LONGEST >> 20) + " MiB");
    }
    if (fresh) {
      deflater.reset();
    }
    byte flags = fresh ? Frames.FRESH : 0;
    int length = deflate(content);
    ByteBuffer frame = ByteBuffer.wrap(buffer, 0, Frames.FRAME_HEADER + length);
    frame.putInt(length).put(flags);
    frame.putInt(
        Frames.checksum(length, flags, ByteBuffer.wrap(buffer, Frames.FRAME_HEADER, length)));
    frame.rewind();
    fresh = true;
    write(frame);
    fresh = false;
  }

  /**
   * Whether the last frame could not be written, so that the next has to contain everything again.
   */
  boolean isFresh() {
    return fresh;
  }

  private int deflate(byte[] content) {
    deflater.setInput(content);
    int length = 0;
    while (true) {
      int at = Frames.FRAME_HEADER + length;
      if (at == buffer.length) {
        buffer = Arrays.copyOf(buffer, buffer.length * 2);
      }
      int room = buffer.length - at;
      int written = deflater.deflate(buffer, at, room, Deflater.SYNC_FLUSH);
      length += written;
      if (written < room) {
        return length;
      }
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    room.accept(length);
    try {
      long at = end;
      while (bytes.hasRemaining()) {
        at += file.write(bytes, at);
      }
      end += length;
    } catch (IOException e) {
      try {
        file.truncate(end);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    deflater.end();
    file.close();
  }
}
