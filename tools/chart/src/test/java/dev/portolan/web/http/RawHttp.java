package dev.portolan.web.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Requests as they are written, with headers that no client library lets one choose. */
final class RawHttp {
  private RawHttp() {}

  /** An answer to a request. */
  record Answer(int status, Map<String, String> headers, String body) {
    /** The body, read as JSON. */
    @SuppressWarnings("unchecked")
    Map<String, Object> tree() {
      return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(body);
    }

    String error() {
      return String.valueOf(tree().get("error"));
    }
  }

  /** Reads {@code path} with the usual headers. */
  static Answer get(String url, String path, String... headers) throws IOException {
    return request("GET", url, path, headers);
  }

  /** Asks for {@code path}; {@code headers} may name another host. */
  static Answer request(String method, String url, String path, String... headers)
      throws IOException {
    URI uri = URI.create(url);
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout(60_000);
      StringBuilder text = new StringBuilder(method + " " + uri.getPath() + path + " HTTP/1.1\r\n");
      boolean named = false;
      for (String header : headers) {
        named |= header.startsWith("Host:");
        text.append(header).append("\r\n");
      }
      text.append(named ? "" : "Host: " + uri.getAuthority() + "\r\n");
      text.append("Connection: close\r\n\r\n");
      socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
      return read(socket.getInputStream());
    }
  }

  private static Answer read(InputStream in) throws IOException {
    String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    int end = all.indexOf("\r\n\r\n");
    if (end < 0) {
      return new Answer(0, Map.of(), all);
    }
    String[] lines = all.substring(0, end).split("\r\n", -1);
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).strip());
    }
    return new Answer(
        Integer.parseInt(lines[0].split(" ", -1)[1]), headers, all.substring(end + 4));
  }
}
