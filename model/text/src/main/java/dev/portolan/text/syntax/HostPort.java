package dev.portolan.text.syntax;

import dev.portolan.core.net.Ip;
import java.util.Optional;

/** An address with its port, split as Go's {@code net.SplitHostPort} does. */
public record HostPort(String host, String port) {
  /** Splits {@code host:port} or {@code [host]:port}; empty where it is neither. */
  public static Optional<HostPort> split(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    String host = text.substring(0, colon);
    String port = text.substring(colon + 1);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      return Optional.empty();
    }
    boolean brackets = (host + port).chars().anyMatch(c -> c == '[' || c == ']');
    return brackets ? Optional.empty() : Optional.of(new HostPort(host, port));
  }

  /** {@code text} with {@code port} where it is an address without one. */
  public static String appendPort(String text, int port) {
    if (split(text).isPresent()) {
      return text;
    }
    return Ip.parse(text)
        .map(ip -> text.indexOf(':') < 0 ? text + ":" + port : "[" + text + "]:" + port)
        .orElse(text);
  }
}
