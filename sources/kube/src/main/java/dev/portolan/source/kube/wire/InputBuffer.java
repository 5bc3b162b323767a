package dev.portolan.source.kube.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;

/**
 * The bytes of an answer as they arrive, and a buffer with those that were not taken yet.
 *
 * <p>The buffer grows with what arrives, never with what a length field promises.
 */
public final class InputBuffer {
  /** The longest object that is read; API servers accept only much shorter ones. */
  static final int LONGEST = 1 << 24;

  private static final int SMALL = 1 << 14;
  private static final int LARGE = 1 << 18;

  private final InputStream in;
  private final ReadTimeout timeout;
  private byte[] bytes = new byte[SMALL];
  private int position;
  private int limit;
  private long taken;

  /** Reads {@code in}, and waits for it no longer than {@code timeout} allows. */
  public InputBuffer(InputStream in, ReadTimeout timeout) {
    this.in = in;
    this.timeout = timeout;
  }

  /** Waits until {@code count} bytes are buffered; false if the stream ends before. */
  boolean has(int count) throws IOException {
    while (limit - position < count) {
      if (!fill()) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@code count} bytes are available without waiting. */
  boolean hasNow(int count) throws IOException {
    while (limit - position < count) {
      if (in.available() == 0 || !fill()) {
        return false;
      }
    }
    return true;
  }

  /** Waits until {@code count} bytes are buffered; fails if the stream ends before. */
  void need(long count) throws IOException {
    if (count < 0 || count > LONGEST) {
      throw new DecodeException("a field is " + count + " bytes long, longer than any object");
    }
    if (!has((int) count)) {
      throw DecodeException.truncated();
    }
  }

  /** Reads to the end of the stream; how many bytes are buffered. */
  int rest() throws IOException {
    while (fill()) {
      if (limit - position > LONGEST) {
        throw new DecodeException("the answer is too long");
      }
    }
    return limit - position;
  }

  /** The buffer; its content begins at {@link #position}. */
  byte[] bytes() {
    return bytes;
  }

  /** Where the first byte is that was not taken. */
  int position() {
    return position;
  }

  /** A buffered byte. */
  byte at(int offset) {
    return bytes[position + offset];
  }

  /** Takes {@code count} buffered bytes. */
  void take(int count) {
    position += count;
    taken += count;
    if (position == limit) {
      position = 0;
      limit = 0;
      if (bytes.length > LARGE) {
        bytes = new byte[SMALL];
      }
    }
  }

  /** Discards {@code count} bytes as they arrive. */
  void skip(long count) throws IOException {
    long left = count;
    while (left > 0) {
      if (!has(1)) {
        throw DecodeException.truncated();
      }
      int step = (int) Math.min(left, limit - position);
      take(step);
      left -= step;
    }
  }

  /** How many bytes were taken so far. */
  long taken() {
    return taken;
  }

  private boolean fill() throws IOException {
    if (limit == bytes.length) {
      if (position > 0) {
        System.arraycopy(bytes, position, bytes, 0, limit - position);
        limit -= position;
        position = 0;
      } else {
        bytes = Arrays.copyOf(bytes, bytes.length * 2);
      }
    }
    int count = read();
    if (count <= 0) {
      return false;
    }
    limit += count;
    return true;
  }

  private int read() throws IOException {
    try {
      return timeout.await(() -> in.read(bytes, limit, bytes.length - limit));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
