package dev.portolan.apiserver;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * The server's response; the body arrives as it is read.
 *
 * @param certificate the server's own certificate, where the connection is secure
 * @param body reading it fails with an {@link ApiException} where the connection breaks, or where
 *     the {@link ApiServer} is closed
 */
public record ApiResponse(
    int status, HttpHeaders headers, Optional<X509Certificate> certificate, InputStream body)
    implements AutoCloseable {
  /** Closes the response, read to its end or not. */
  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException e) {
      // The response is no longer needed.
    }
  }
}
