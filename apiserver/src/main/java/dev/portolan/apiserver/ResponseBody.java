package dev.portolan.apiserver;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** The body of a response; if the connection breaks, the error names the server. */
final class ResponseBody extends FilterInputStream {
  private final URI server;

  ResponseBody(URI server, InputStream body) {
    super(body);
    this.server = server;
  }

  @Override
  public int read() throws IOException {
    try {
      return super.read();
    } catch (IOException e) {
      throw ApiErrors.brokenOff(server, e);
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    try {
      return super.read(buffer, offset, length);
    } catch (IOException e) {
      throw ApiErrors.brokenOff(server, e);
    }
  }
}
