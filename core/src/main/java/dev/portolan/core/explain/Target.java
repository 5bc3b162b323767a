package dev.portolan.core.explain;

import dev.portolan.core.brain.InputRules;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.Locale;
import java.util.Optional;

/** What a person asks about: a service, an address, or a nodePort. */
public sealed interface Target {
  /** A service, or one of its ports by name or number. */
  record OfService(NamespacedName service, String port, Optional<Protocol> protocol)
      implements Target {}

  /** An address with a port, as packets carry it; the port is 0 where not said. */
  record OfAddress(Ip address, int port, Optional<Protocol> protocol) implements Target {}

  /** A nodePort, on whichever of the node's addresses serves it. */
  record OfNodePort(int port, Optional<Protocol> protocol) implements Target {}

  /** How targets are written, for a person. */
  String FORMS =
      "a service (shop/cart, shop/cart:http), an address (10.96.0.10:53/udp, [fd00::1]:80)"
          + " or a nodePort (30080, :30080/udp)";

  /** Reads a target. Says what it should look like where it cannot. */
  static Target parse(String text) {
    String rest = text.strip();
    Optional<Protocol> protocol = Optional.empty();
    int lastSlash = rest.lastIndexOf('/');
    for (Protocol known : Protocol.values()) {
      if (lastSlash > 0
          && rest.substring(lastSlash + 1).toUpperCase(Locale.ROOT).equals(known.name())
          && (rest.indexOf('/') < lastSlash
              || rest.indexOf(':') >= 0
              || isNumber(rest.substring(0, lastSlash)))) {
        protocol = Optional.of(known);
        rest = rest.substring(0, lastSlash);
        break;
      }
    }
    if (rest.startsWith(":") && isNumber(rest.substring(1))) {
      return new OfNodePort(port(text, rest.substring(1)), protocol);
    }
    if (isNumber(rest)) {
      return new OfNodePort(port(text, rest), protocol);
    }
    Optional<Ip> bare = Ip.parse(rest);
    if (bare.isPresent()) {
      return new OfAddress(bare.get(), 0, protocol);
    }
    int colon = rest.lastIndexOf(':');
    String host = colon < 0 ? rest : rest.substring(0, colon);
    String port = colon < 0 ? "" : rest.substring(colon + 1);
    boolean brackets = host.startsWith("[") && host.endsWith("]");
    Optional<Ip> address = Ip.parse(brackets ? host.substring(1, host.length() - 1) : host);
    if (address.isPresent()) {
      return new OfAddress(address.get(), port.isEmpty() ? 0 : port(text, port), protocol);
    }
    String[] parts = host.split("/", -1);
    boolean named = InputRules.isLabel(parts[parts.length - 1]) && (colon < 0 || !port.isEmpty());
    if (named && parts.length == 1) {
      return new OfService(new NamespacedName("default", parts[0]), port, protocol);
    }
    if (named && parts.length == 2 && InputRules.isLabel(parts[0])) {
      return new OfService(new NamespacedName(parts[0], parts[1]), port, protocol);
    }
    throw new IllegalArgumentException("'" + text + "' is not a valid target; write " + FORMS);
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static int port(String text, String number) {
    int port = isNumber(number) && number.length() <= 5 ? Integer.parseInt(number) : 0;
    if (!InputRules.isPort(port)) {
      throw new IllegalArgumentException(
          "'" + text + "': " + number + " is not a port between 1 and 65535");
    }
    return port;
  }
}
