package dev.portolan.walk.iptables;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.Arrays;
import java.util.Optional;

/** Words of rules that stand for protocols, ranges and comments. */
final class Protocols {
  private Protocols() {}

  /** The protocol that {@code name} stands for, in words or as a number. */
  static Optional<Protocol> named(String name) {
    return Arrays.stream(Protocol.values())
        .filter(it -> it.lower().equals(name) || Integer.toString(number(it)).equals(name))
        .findFirst();
  }

  /** Whether {@code name} stands for {@code protocol}, perhaps among others. */
  static boolean is(Protocol protocol, String name) {
    return name.equals(protocol.lower())
        || name.equals("all")
        || name.equals("0")
        || name.equals(Integer.toString(number(protocol)));
  }

  /** The protocol's number in an IP header. */
  static int number(Protocol protocol) {
    return switch (protocol) {
      case TCP -> 6;
      case UDP -> 17;
      case SCTP -> 132;
    };
  }

  /** An address, or a range of them: {@code 10.0.0.0/8}, {@code 10.0.0.0/255.0.0.0}. */
  static Cidr range(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return Cidr.only(Ip.of(text));
    }
    Optional<Ip> mask =
        text.indexOf('.', slash) < 0 ? Optional.empty() : Ip.parse(text.substring(slash + 1));
    if (mask.isEmpty()) {
      return Cidr.of(text);
    }
    int bits = (int) mask.get().low();
    int prefix = Integer.bitCount(bits);
    if (prefix < 32 && bits << prefix != 0) {
      throw new IllegalArgumentException("not a prefix: " + text);
    }
    return new Cidr(Ip.of(text.substring(0, slash)), prefix);
  }

  /** A word without the quotes around it. */
  static String unquoted(String word) {
    return word.length() > 1 && word.startsWith("\"") && word.endsWith("\"")
        ? word.substring(1, word.length() - 1)
        : word;
  }
}
