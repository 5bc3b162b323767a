package dev.portolan.web.http;

import dev.portolan.core.net.Ip;
import dev.portolan.tls.TlsFiles;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a chart is served, and to whom.
 *
 * @param port 0 for any
 * @param tls the certificates; clients need one too, unless there is a token
 * @param token a file with the token that clients must send
 */
public record ChartListener(Ip ip, int port, Optional<TlsFiles> tls, Optional<Path> token) {
  private static final Ip LOOPBACK = Ip.of("127.0.0.1");

  /**
   * Reads {@code 8080}, {@code 127.0.0.1:8080} or {@code [::1]:8080}; a port alone is on loopback.
   * On loopback certificates are not used.
   *
   * @throws IllegalArgumentException where it is none of these, or would be open to everybody; with
   *     a sentence
   */
  public static ChartListener parse(String text, Optional<TlsFiles> tls, Optional<Path> token) {
    int colon = text.lastIndexOf(':');
    String host = colon <= 0 ? "" : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    Optional<Ip> ip =
        host.isEmpty() || host.equals("localhost") ? Optional.of(LOOPBACK) : Ip.parse(host);
    int port = port(text.substring(colon + 1));
    if (ip.isEmpty() || port < 0) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not an address to listen on; write a port such as 10270, which is on"
              + " loopback, or 127.0.0.1:10270");
    }
    if (!ip.get().isLoopback() && tls.isEmpty() && token.isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' can be reached from other machines; give certificates (--tls-key, --tls-crt and"
              + " --tls-ca) or a token (--chart-token-file), or listen on 127.0.0.1");
    }
    return new ChartListener(ip.get(), port, ip.get().isLoopback() ? Optional.empty() : tls, token);
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port > 65535 ? -1 : port;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The address as a browser writes it. */
  String url(int actual) {
    return (tls.isPresent() ? "https://" : "http://") + ip.withPort(actual) + "/";
  }
}
