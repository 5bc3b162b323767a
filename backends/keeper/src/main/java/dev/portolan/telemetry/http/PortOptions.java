package dev.portolan.telemetry.http;

import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * What a port expects of its clients.
 *
 * @param mostConnections when one more comes, the oldest is closed
 * @param longestHead how many bytes a request may have before its body
 * @param tls what encrypts; without, nothing does
 */
public record PortOptions(int mostConnections, int longestHead, Optional<Tls> tls) {
  /** For probes and scrapers. */
  public static final PortOptions DEFAULT = new PortOptions(100, 16 << 10, Optional.empty());

  /**
   * How clients and the port know each other.
   *
   * @param certificateNeeded whether a client must have one; it is asked for one in any case
   */
  public record Tls(SSLContext context, boolean certificateNeeded) {}
}
