package dev.portolan.explain;

import dev.portolan.brain.InputRules;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import java.util.Optional;

/** The client: a pod of this node, a certain pod, the node itself, one outside, or an address. */
public sealed interface Client {
  /** How a pod is written. */
  String POD = "pod/";

  /** Any pod of this node. */
  record Pod() implements Client {
    @Override
    public String toString() {
      return "pod";
    }
  }

  /** A pod by its name; its addresses and its node are those that EndpointSlices have. */
  record NamedPod(NamespacedName name) implements Client {
    @Override
    public String toString() {
      return POD + name;
    }
  }

  /** A process of the node itself. */
  record Host() implements Client {
    @Override
    public String toString() {
      return "node";
    }
  }

  /** Neither of them; the rest of the world. */
  record External() implements Client {
    @Override
    public String toString() {
      return "external";
    }
  }

  /** A client outside the cluster whose address is in this range. */
  record Within(Cidr range) implements Client {
    @Override
    public String toString() {
      return range.toString();
    }
  }

  /** The client with this address. */
  record At(Ip address) implements Client {
    @Override
    public String toString() {
      return address.toString();
    }
  }

  /** Reads a client. Says what it should look like where it cannot. */
  static Client parse(String text) {
    return switch (text) {
      case "pod" -> new Pod();
      case "node" -> new Host();
      case "external" -> new External();
      default ->
          Ip.parse(text)
              .<Client>map(At::new)
              .or(() -> pod(text))
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "'"
                          + text
                          + "' is not a valid client; write pod, pod/NAMESPACE/NAME, node, external"
                          + " or an IP address"));
    };
  }

  private static Optional<Client> pod(String text) {
    String[] parts = text.split("/", -1);
    return parts.length == 3
            && text.startsWith(POD)
            && InputRules.isLabel(parts[1])
            && !parts[2].isBlank()
        ? Optional.of(new NamedPod(new NamespacedName(parts[1], parts[2])))
        : Optional.empty();
  }
}
