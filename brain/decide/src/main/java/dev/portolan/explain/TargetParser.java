package dev.portolan.explain;

import dev.portolan.brain.InputRules;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a person asks about, in any of the ways in which people write it: as Kubernetes names
 * a service, as its DNS does, as a URL, as an address, or as a nodePort.
 */
final class TargetParser {
  private static final Pattern URL =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/?#@]*@)?([^/?#]*)(?:[/?#].*)?");

  private final String text;
  private final String namespace;

  TargetParser(String text, String namespace) {
    this.text = text;
    this.namespace = namespace;
  }

  Target parse() {
    String rest = text.strip();
    Matcher url = URL.matcher(rest);
    if (url.matches()) {
      return ofUrl(url.group(1).toLowerCase(Locale.ROOT), url.group(2));
    }
    int slash = rest.lastIndexOf('/');
    if (slash > 0) {
      String before = rest.substring(0, slash);
      Optional<Protocol> protocol = protocol(rest.substring(slash + 1));
      boolean sure = before.indexOf(':') >= 0 || isNumber(before) || address(before).isPresent();
      if (protocol.isPresent() && (sure || before.indexOf('/') >= 0)) {
        return target(before, protocol);
      }
      if (sure) {
        throw new IllegalArgumentException(
            "'"
                + text
                + "': '"
                + rest.substring(slash + 1)
                + "' is not a protocol; write tcp, udp or sctp");
      }
    }
    return target(rest, Optional.empty());
  }

  private Target ofUrl(String scheme, String authority) {
    if (authority.isEmpty() || authority.startsWith(":")) {
      throw new IllegalArgumentException("'" + text + "' has no host; write " + Target.FORMS);
    }
    Optional<Protocol> protocol = protocol(scheme);
    int usual =
        switch (scheme) {
          case "http", "ws" -> 80;
          case "https", "wss" -> 443;
          default -> 0;
        };
    if (protocol.isEmpty() && usual == 0) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "': the port of '"
              + scheme
              + "' is not known; write http or https, or the address and port without a scheme");
    }
    boolean said = authority.substring(authority.lastIndexOf(']') + 1).indexOf(':') >= 0;
    String withPort = said || usual == 0 ? authority : authority + ":" + usual;
    Optional<Protocol> carrier = protocol.or(() -> Optional.of(Protocol.TCP));
    return target(
        withPort.startsWith("localhost:") ? withPort.replace("localhost", "127.0.0.1") : withPort,
        carrier);
  }

  private Target target(String rest, Optional<Protocol> protocol) {
    String number = rest.startsWith(":") ? rest.substring(1) : rest;
    if (isNumber(number)) {
      return new Target.OfNodePort(port(number), protocol);
    }
    Optional<Ip> bare = address(rest);
    if (bare.isPresent()) {
      return new Target.OfAddress(bare.get(), 0, protocol);
    }
    int colon = rest.lastIndexOf(':');
    String host = colon < 0 ? rest : rest.substring(0, colon);
    String port = colon < 0 ? "" : rest.substring(colon + 1);
    Optional<Ip> address = address(host);
    if (address.isPresent()) {
      return new Target.OfAddress(address.get(), port.isEmpty() ? 0 : port(port), protocol);
    }
    return service(host)
        .filter(name -> colon < 0 || !port.isEmpty())
        .map(name -> new Target.OfService(name, port, protocol))
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'" + text + "' is not a valid target; write " + Target.FORMS));
  }

  /** A service as {@code name}, {@code namespace/name}, or as DNS knows it. */
  private Optional<NamespacedName> service(String host) {
    String[] parts = host.split("/", -1);
    String[] labels = host.split("\\.", -1);
    NamespacedName name =
        parts.length == 2
            ? new NamespacedName(parts[0], parts[1])
            : labels.length >= 3 && labels[2].equals("svc")
                ? new NamespacedName(labels[1], labels[0])
                : new NamespacedName(namespace, host);
    return InputRules.isLabel(name.namespace()) && InputRules.isLabel(name.name())
        ? Optional.of(name)
        : Optional.empty();
  }

  private static Optional<Ip> address(String host) {
    boolean brackets = host.startsWith("[") && host.endsWith("]");
    return Ip.parse(brackets ? host.substring(1, host.length() - 1) : host);
  }

  private static Optional<Protocol> protocol(String word) {
    for (Protocol known : Protocol.values()) {
      if (word.toUpperCase(Locale.ROOT).equals(known.name())) {
        return Optional.of(known);
      }
    }
    return Optional.empty();
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private int port(String number) {
    int port = isNumber(number) && number.length() <= 5 ? Integer.parseInt(number) : 0;
    if (!InputRules.isPort(port)) {
      throw new IllegalArgumentException(
          "'" + text + "': " + number + " is not a port between 1 and 65535");
    }
    return port;
  }
}
