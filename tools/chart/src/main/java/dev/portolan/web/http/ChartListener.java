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

  /** An address and a port, 0 for any. */
  private record Place(Ip ip, int port) {
    /**
     * Reads a port, which is on loopback, an address, which is with any port, or both; empty where
     * it is none of these.
     */
    static Optional<Place> parse(String text) {
      int colon = text.lastIndexOf(':');
      boolean inBrackets = text.startsWith("[");
      boolean hasPort = colon > text.lastIndexOf(']') && colon >= 0;
      if (text.isEmpty() || (hasPort && !inBrackets && text.indexOf(':') != colon)) {
        // Without brackets, the end of an IPv6 address is ambiguous.
        return Optional.empty();
      }
      boolean isPort = text.chars().allMatch(Character::isDigit);
      String host = isPort ? "" : hasPort ? text.substring(0, colon) : text;
      int port = isPort ? number(text) : hasPort ? number(text.substring(colon + 1)) : 0;
      return port < 0 ? Optional.empty() : host(host).map(ip -> new Place(ip, port));
    }

    private static Optional<Ip> host(String text) {
      boolean inBrackets = text.startsWith("[") && text.endsWith("]");
      return text.isEmpty() || text.equals("localhost")
          ? Optional.of(LOOPBACK)
          : Ip.parse(inBrackets ? text.substring(1, text.length() - 1) : text);
    }
  }

  /** Whether other machines could reach {@code text}. */
  public static boolean isReachable(String text) {
    return Place.parse(text).filter(place -> !place.ip.isLoopback()).isPresent();
  }

  /**
   * Reads {@code 8080}, {@code 127.0.0.1:8080}, {@code [::1]:8080} or {@code localhost}; a port
   * alone is on loopback, an address alone has any port. On loopback certificates are not used.
   *
   * @throws IllegalArgumentException where it is none of these, or would be reachable without
   *     authentication; with a sentence
   */
  public static ChartListener parse(String text, Optional<TlsFiles> tls, Optional<Path> token) {
    Place place =
        Place.parse(text)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is not an address to listen on; write a port such as 10270, which is"
                        + " on loopback, 127.0.0.1:10270 or [::1]:10270"));
    Ip ip = place.ip;
    if (!ip.isLoopback() && tls.isEmpty() && token.isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' can be reached from other machines; give certificates (--tls-key, --tls-crt and"
              + " --tls-ca) or a token (--chart-token-file), or listen on 127.0.0.1");
    }
    return new ChartListener(ip, place.port, ip.isLoopback() ? Optional.empty() : tls, token);
  }

  private static int number(String text) {
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
