package dev.portolan.doctor;

import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.text.syntax.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A page that a daemon serves on its node, as it is now. */
public record LocalPage(int status, String text) {
  private static final int TIMEOUT = (int) Duration.ofSeconds(5).toMillis();
  private static final int LONGEST = 32 << 20;
  private static final int FIRST_ERROR = 400;

  /** The page of the server that listens on {@code address}; empty if none answers. */
  public static Optional<LocalPage> read(Optional<Path> namespace, String address, String page) {
    Optional<HostPort> place = HostPort.split(address);
    if (place.isEmpty()) {
      return Optional.empty();
    }
    String host =
        switch (place.get().host()) {
          case "", "0.0.0.0" -> "127.0.0.1";
          case "::" -> "::1";
          default -> place.get().host();
        };
    String url =
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + place.get().port();
    try {
      return Optional.of(
          namespace.isEmpty()
              ? get(url + page)
              : new NetworkNamespace(namespace.get()).visit(() -> get(url + page)));
    } catch (IOException | IllegalArgumentException | NetlinkException e) {
      return Optional.empty();
    }
  }

  private static LocalPage get(String url) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(TIMEOUT);
    connection.setReadTimeout(TIMEOUT);
    // A connection that is kept could serve another network namespace next.
    connection.setRequestProperty("Connection", "close");
    int status = connection.getResponseCode();
    try (InputStream body =
        status < FIRST_ERROR ? connection.getInputStream() : connection.getErrorStream()) {
      String text =
          body == null ? "" : new String(body.readNBytes(LONGEST), StandardCharsets.UTF_8);
      return new LocalPage(status, text);
    } finally {
      connection.disconnect();
    }
  }
}
