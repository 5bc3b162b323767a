package dev.portolan.api;

import static dev.portolan.core.text.Quotes.brief;
import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.api.localv1.IPSet;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A place in a message, where fields are read; put into words only if one of them is wrong. */
final class FieldPath {
  private static final int HIGHEST_PORT = 65_535;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private final @Nullable FieldPath parent;
  private final String name;
  private final int index;

  private FieldPath(@Nullable FieldPath parent, String name, int index) {
    this.parent = parent;
    this.name = name;
    this.index = index;
  }

  /** A message, named as in {@code Service shop/cart}. */
  static FieldPath message(String type, String path) {
    return new FieldPath(null, path.isEmpty() ? type : type + " " + path, -1);
  }

  /** The element at {@code index} of a list that is here. */
  FieldPath element(String list, int index) {
    return new FieldPath(this, list, index);
  }

  WireException wrong(String problem) {
    return new WireException(toString(), problem);
  }

  WireException wrong(String field, String problem) {
    return new WireException(new FieldPath(this, field, -1).toString(), problem);
  }

  /** A name that every object has. */
  String name(String field, String text) throws WireException {
    if (text.isEmpty()) {
      throw wrong(field, "missing");
    }
    return text;
  }

  /** A name that may end up in rules: small letters, digits and inner dashes. */
  String label(String field, String text) throws WireException {
    if (!LABEL.matcher(text).matches()) {
      throw wrong(field, text.isEmpty() ? "missing" : quote(text) + " is not a valid name");
    }
    return text;
  }

  NamespacedName labels(String namespace, String name) throws WireException {
    return new NamespacedName(label("Namespace", namespace), label("Name", name));
  }

  /** The name of a port, which may be empty. */
  String portName(String text) throws WireException {
    return text.isEmpty() ? text : label("Name", text);
  }

  Ip ip(String field, String text) throws WireException {
    Ip ip = Ip.parse(text).orElse(null);
    if (ip == null) {
      throw wrong(field, quote(text) + " is not an IP address");
    }
    return ip;
  }

  Ip ip(String field, String text, IpFamily family) throws WireException {
    Ip ip = ip(field, text);
    if (ip.family() != family) {
      throw wrong(field, ip + " is not an " + family + " address");
    }
    return ip;
  }

  List<Ip> ips(String field, List<String> texts) throws WireException {
    List<Ip> ips = new ArrayList<>(texts.size());
    for (String text : texts) {
      ips.add(ip(field, text));
    }
    return ips;
  }

  List<Ip> ips(String field, List<String> texts, IpFamily family) throws WireException {
    List<Ip> ips = new ArrayList<>(texts.size());
    for (String text : texts) {
      ips.add(ip(field, text, family));
    }
    return ips;
  }

  /** The addresses of one family. */
  List<Ip> ips(String field, IPSet set, IpFamily family) throws WireException {
    return ips(field, family == IpFamily.IPV4 ? set.getV4List() : set.getV6List(), family);
  }

  Cidr cidr(String field, String text) throws WireException {
    Cidr cidr = Cidr.parse(text).orElse(null);
    if (cidr == null) {
      throw wrong(field, quote(text) + " is not a CIDR such as 10.0.0.0/8");
    }
    return cidr;
  }

  List<Cidr> cidrs(String field, List<String> texts) throws WireException {
    List<Cidr> cidrs = new ArrayList<>(texts.size());
    for (String text : texts) {
      cidrs.add(cidr(field, text));
    }
    return cidrs;
  }

  List<Cidr> cidrs(String field, List<String> texts, IpFamily family) throws WireException {
    List<Cidr> cidrs = cidrs(field, texts);
    for (Cidr cidr : cidrs) {
      if (cidr.family() != family) {
        throw wrong(field, cidr + " is not an " + family + " range");
      }
    }
    return cidrs;
  }

  int port(String field, int number) throws WireException {
    if (number < 1 || number > HIGHEST_PORT) {
      throw wrong(field, number + " is not between 1 and " + HIGHEST_PORT);
    }
    return number;
  }

  /** A port, or 0 for none. */
  int optionalPort(String field, int number) throws WireException {
    return number == 0 ? 0 : port(field, number);
  }

  int notNegative(String field, int number) throws WireException {
    if (number < 0) {
      throw wrong(field, number + " is below 0");
    }
    return number;
  }

  Protocol protocol(dev.portolan.api.localv1.Protocol protocol) throws WireException {
    return switch (protocol) {
      case TCP -> Protocol.TCP;
      case UDP -> Protocol.UDP;
      case SCTP -> Protocol.SCTP;
      case UnknownProtocol, UNRECOGNIZED ->
          throw wrong("Protocol", "none of TCP, UDP and SCTP; a newer server may know more");
    };
  }

  /** A service's type; hand-written services may omit it. */
  ServiceType type(String text) throws WireException {
    if (text.isEmpty()) {
      return ServiceType.CLUSTER_IP;
    }
    for (ServiceType type : ServiceType.values()) {
      if (type.toString().equals(text)) {
        return type;
      }
    }
    throw wrong("Type", quote(text) + " is not a type of service");
  }

  @Override
  public String toString() {
    String own = index < 0 ? brief(name) : name + "[" + index + "]";
    return parent == null ? own : parent + (parent.parent == null ? ": " : ".") + own;
  }
}
