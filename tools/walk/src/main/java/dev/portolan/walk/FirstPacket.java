package dev.portolan.walk;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.Optional;

/**
 * The first packet of a new connection, as it meets the rules of a node.
 *
 * @param arrivesThrough the interface that it comes in through; empty where a process of the node
 *     sends it
 */
public record FirstPacket(
    Ip source,
    int sourcePort,
    Ip destination,
    int port,
    Protocol protocol,
    Optional<String> arrivesThrough) {
  /** Whether a process of the node sends it. */
  public boolean isFromNode() {
    return arrivesThrough.isEmpty();
  }

  /** {@code 10.244.1.5:40000 to 10.96.0.10:80/TCP}. */
  @Override
  public String toString() {
    return source.withPort(sourcePort) + " to " + destination.withPort(port) + "/" + protocol;
  }
}
