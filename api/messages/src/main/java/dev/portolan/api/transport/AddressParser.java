package dev.portolan.api.transport;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads addresses. */
final class AddressParser {
  private static final Pattern TCP =
      Pattern.compile("(?:tcp://)?(?:\\[([0-9a-fA-F:.%\\w]+)]|([^\\[\\]:/\\s]*)):(\\d{1,5})");

  private AddressParser() {}

  static Address parse(String text) {
    if (text.startsWith("unix:")) {
      return unix(text);
    }
    return text.startsWith("inprocess:") ? inProcess(text) : tcp(text);
  }

  private static Address unix(String text) {
    String path = text.substring("unix:".length());
    if (path.startsWith("//")) {
      path = path.substring(2);
    }
    if (!path.startsWith("/") || path.endsWith("/")) {
      throw wrong(text, "the path of a unix socket must be absolute, as in unix:///run/x.sock");
    }
    return new Address.Unix(Path.of(path));
  }

  private static Address inProcess(String text) {
    String name = text.substring("inprocess:".length());
    if (name.isEmpty()) {
      throw wrong(text, "a name must follow, as in inprocess:brain");
    }
    return new Address.InProcess(name);
  }

  private static Address tcp(String text) {
    Matcher matcher = TCP.matcher(text);
    if (!matcher.matches()) {
      throw wrong(text, "write unix:///path, tcp://host:port or host:port");
    }
    int port = Integer.parseInt(matcher.group(3));
    if (port > 65_535) {
      throw wrong(text, "a port must be at most 65535");
    }
    return new Address.Tcp(matcher.group(matcher.group(1) == null ? 2 : 1), port);
  }

  private static IllegalArgumentException wrong(String text, String remedy) {
    return new IllegalArgumentException("'" + text + "' is not a valid address: " + remedy);
  }
}
