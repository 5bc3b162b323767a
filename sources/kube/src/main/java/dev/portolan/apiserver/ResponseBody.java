package dev.portolan.apiserver;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response, unpacked if the server packed it; if the connection breaks, the error
 * names the server.
 */
final class ResponseBody extends InputStream {
  private static final int BUFFER = 1 << 14;

  private final URI server;
  private final InputStream received;
  private final boolean packed;
  private @Nullable InputStream content;

  ResponseBody(URI server, InputStream received, boolean packed) {
    this.server = server;
    this.received = received;
    this.packed = packed;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    try {
      InputStream in = content;
      if (in == null) {
        // This waits for the first bytes, as a read may.
        in = packed ? new GZIPInputStream(received, BUFFER) : received;
        content = in;
      }
      return in.read(buffer, offset, length);
    } catch (IOException e) {
      throw ApiErrors.brokenOff(server, e);
    }
  }

  /** Closes what is received only: another thread may be unpacking. */
  @Override
  public void close() throws IOException {
    received.close();
  }
}
