package dev.portolan.brain.explain;

import dev.portolan.core.net.Ip;
import java.util.Optional;

/** The client: a pod of this node, the node itself, one outside, or a certain address. */
public sealed interface Client {
  /** Any pod of this node. */
  record Pod() implements Client {}

  /** A process of the node itself. */
  record Host() implements Client {}

  /** Neither of them; the rest of the world. */
  record External() implements Client {}

  /** Whoever has this address. */
  record At(Ip address) implements Client {}

  /** Reads a client. Says what it should look like where it cannot. */
  static Client parse(String text) {
    return switch (text) {
      case "pod" -> new Pod();
      case "node" -> new Host();
      case "external" -> new External();
      default -> {
        Optional<Ip> address = Ip.parse(text);
        if (address.isEmpty()) {
          throw new IllegalArgumentException(
              "'" + text + "' is not a valid client; write pod, node, external or an IP address");
        }
        yield new At(address.get());
      }
    };
  }
}
