package dev.portolan.explain;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.Optional;

/**
 * What a person asks about: a service, an address, or a nodePort. As text it is what {@link
 * TargetParser} reads, whatever was typed.
 */
public sealed interface Target {
  /** The namespace of services whose namespace is not said. */
  String DEFAULT_NAMESPACE = "default";

  /** A service, or one of its ports by name or number. */
  record OfService(NamespacedName service, String port, Optional<Protocol> protocol)
      implements Target {
    @Override
    public String toString() {
      return service
          + (port.isEmpty() ? "" : ":" + port)
          + protocol.map(known -> "/" + known).orElse("");
    }
  }

  /** An address with a port, as packets carry it; the port is 0 if none is given. */
  record OfAddress(Ip address, int port, Optional<Protocol> protocol) implements Target {
    @Override
    public String toString() {
      return (port == 0 ? address.toString() : address.withPort(port))
          + protocol.map(known -> "/" + known).orElse("");
    }
  }

  /** A nodePort, on all of the node's addresses that serve it. */
  record OfNodePort(int port, Optional<Protocol> protocol) implements Target {
    @Override
    public String toString() {
      return port + protocol.map(known -> "/" + known).orElse("");
    }
  }

  /** How targets are written, for a person. */
  String FORMS =
      "a service (shop/cart, shop/cart:http, cart.shop.svc:80), an address (10.96.0.10:53/udp,"
          + " [fd00::1]:80), a URL (http://cart.shop.svc) or a nodePort (30080, :30080/udp)";

  /** Reads a target. Says what it should look like where it cannot. */
  static Target parse(String text) {
    return parse(text, DEFAULT_NAMESPACE);
  }

  /** The same; a service without a namespace is in {@code namespace}. */
  static Target parse(String text, String namespace) {
    return new TargetParser(text, namespace).parse();
  }
}
