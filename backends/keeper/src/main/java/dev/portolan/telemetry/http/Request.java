package dev.portolan.telemetry.http;

import java.util.Map;

/**
 * What a client asked.
 *
 * @param path without the query
 * @param query what follows the question mark; empty without one
 * @param headers by name in small letters
 * @param certified whether the client has shown a certificate that is trusted
 */
public record Request(
    String method,
    String path,
    String query,
    Map<String, String> headers,
    String body,
    boolean certified) {
  /** A header's value; empty without one. */
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** The value of a parameter in the query; {@code fallback} without one. */
  public String parameter(String name, String fallback) {
    for (String pair : query.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return pair.substring(name.length() + 1);
      }
    }
    return fallback;
  }

  /** Whether the client only wants to read. */
  public boolean reads() {
    return method.equals("GET") || method.equals("HEAD");
  }
}
