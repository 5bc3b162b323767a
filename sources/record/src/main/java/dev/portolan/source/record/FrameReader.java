package dev.portolan.source.record;

import dev.portolan.core.text.Quotes;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Reads the frames of a file, up to the end or to the first one that is damaged. */
final class FrameReader implements AutoCloseable {
  private final DataInputStream in;
  private final long size;
  private final Inflater inflater = new Inflater(true);
  private final byte[] buffer = new byte[16_384];
  private long good;
  private Fault fault = Fault.NONE;

  /** What is wrong behind the last good frame. */
  enum Fault {
    /** Nothing: the file ends there. */
    NONE,
    /** A frame is not complete, or was never filled in. */
    CUT_OFF,
    /** A frame is not as it was written. */
    CHANGED
  }

  private FrameReader(InputStream in, long size) {
    this.in = new DataInputStream(in);
    this.size = size;
  }

  /**
   * Opens a file and looks at its header.
   *
   * @throws RecordingException if it is not a recording, or one that cannot be read
   */
  static FrameReader open(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw new RecordingException(file + " is a folder");
      }
      InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
      try {
        FrameReader reader = new FrameReader(in, Files.size(file));
        reader.readHeader(file);
        return reader;
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw new RecordingException(file + " does not exist", e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** The message where the disk, or a permission, is the problem. */
  static RecordingException unreadable(Path file, IOException cause) {
    return new RecordingException(file + " cannot be read: " + FileTrouble.of(cause), cause);
  }

  private void readHeader(Path file) throws IOException {
    byte[] header = in.readNBytes(Frames.FILE_HEADER);
    if (header.length == 0) {
      throw new RecordingException(
          file + " is empty: nothing was recorded, or the process ended before it could write");
    }
    int compared = Math.min(header.length, Frames.MAGIC.length);
    if (!Arrays.equals(header, 0, compared, Frames.MAGIC, 0, compared)) {
      throw new RecordingException(
          file
              + " is not a recording: it does not start with "
              + Quotes.quote("PORTOLAN")
              + "; 'portolan record' makes one, and so does a daemon with --record");
    }
    if (header.length < Frames.FILE_HEADER) {
      throw new RecordingException(file + " is cut off in its header: it has no entry");
    }
    int version = ByteBuffer.wrap(header).getInt(Frames.MAGIC.length);
    if (version > Frames.VERSION) {
      throw new RecordingException(
          file
              + " was written by a newer Portolan (format "
              + version
              + ", this one reads up to "
              + Frames.VERSION
              + "); use that version");
    }
    if (version < 1) {
      throw new RecordingException(file + " is damaged: its header names format " + version);
    }
    good = Frames.FILE_HEADER;
  }

  /** The content of the next frame; null at the end, for which {@link #fault} has the reason. */
  byte @Nullable [] next() throws IOException {
    if (fault != Fault.NONE || good == size) {
      return null;
    }
    try {
      int length = in.readInt();
      byte flags = in.readByte();
      int sum = in.readInt();
      long left = size - good - Frames.FRAME_HEADER;
      if (length <= 0 || length > Frames.LONGEST) {
        return fail(length == 0 && isBlank() ? Fault.CUT_OFF : Fault.CHANGED);
      }
      if (length > left) {
        return fail(Fault.CUT_OFF);
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      if (sum != Frames.checksum(length, flags, ByteBuffer.wrap(bytes))) {
        return fail(Fault.CHANGED);
      }
      byte[] content = inflate(bytes, (flags & Frames.FRESH) != 0);
      good += Frames.FRAME_HEADER + length;
      return content;
    } catch (EOFException e) {
      return fail(Fault.CUT_OFF);
    } catch (DataFormatException e) {
      return fail(Fault.CHANGED);
    }
  }

  private byte @Nullable [] fail(Fault found) {
    fault = found;
    return null;
  }

  /** Whether the rest was never filled in, as after a loss of power. */
  private boolean isBlank() throws IOException {
    for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
      for (int i = 0; i < read; i++) {
        if (buffer[i] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private byte[] inflate(byte[] bytes, boolean fresh) throws DataFormatException {
    if (fresh) {
      inflater.reset();
    }
    inflater.setInput(bytes);
    ByteArrayOutputStream content =
        new ByteArrayOutputStream((int) Math.min(bytes.length * 4L, buffer.length * 64L));
    int read;
    do {
      read = inflater.inflate(buffer);
      if (content.size() + read > Frames.LONGEST) {
        throw new DataFormatException("too long");
      }
      content.write(buffer, 0, read);
    } while (read > 0);
    if (inflater.needsDictionary() || inflater.finished()) {
      throw new DataFormatException("not a stream of ours");
    }
    return content.toByteArray();
  }

  /** What is wrong with the rest. */
  Fault fault() {
    return fault;
  }

  /** How many bytes are good, from the start on. */
  long good() {
    return good;
  }

  /** How many bytes are not. */
  long rest() {
    return size - good;
  }

  @Override
  public void close() {
    inflater.end();
    try {
      in.close();
    } catch (IOException e) {
      // Nothing was written, so nothing is lost.
    }
  }
}
