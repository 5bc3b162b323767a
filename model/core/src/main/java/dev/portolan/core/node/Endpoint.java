package dev.portolan.core.node;

import dev.portolan.core.net.Ip;
import dev.portolan.core.text.Tree;

/**
 * Where traffic can be sent.
 *
 * @param node the node that it runs on; empty where not known
 */
@Tree.Fields("address port node")
public record Endpoint(Ip address, int port, String node) implements Comparable<Endpoint> {
  @Override
  public int compareTo(Endpoint other) {
    int order = address.compareTo(other.address);
    order = order == 0 ? Integer.compare(port, other.port) : order;
    return order == 0 ? node.compareTo(other.node) : order;
  }

  /** {@code address:port}. */
  @Override
  public String toString() {
    return address.withPort(port);
  }
}
