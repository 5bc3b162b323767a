package dev.portolan.core.node;

import dev.portolan.core.net.Ip;

/**
 * Where traffic can be sent.
 *
 * @param node the node that it runs on; empty where not known
 */
public record Endpoint(Ip address, int port, String node) implements Comparable<Endpoint> {
  @Override
  public int compareTo(Endpoint other) {
    int byAddress = address.compareTo(other.address);
    if (byAddress != 0) {
      return byAddress;
    }
    int byPort = Integer.compare(port, other.port);
    return byPort != 0 ? byPort : node.compareTo(other.node);
  }

  /** {@code address:port}. */
  @Override
  public String toString() {
    return address.withPort(port);
  }
}
