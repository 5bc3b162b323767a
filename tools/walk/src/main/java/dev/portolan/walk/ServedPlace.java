package dev.portolan.walk;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.util.Optional;

/**
 * A destination that rules do something about: an address with a port, or a nodePort.
 *
 * @param address empty for a nodePort
 * @param port 0 for all ports of the address, of all protocols
 * @param owner what the rule says of whose it is, such as {@code shop/web:http}; empty where it
 *     says nothing
 */
public record ServedPlace(
    IpFamily family, Protocol protocol, Optional<Ip> address, int port, String owner) {
  /** {@code 10.96.0.10:80/TCP}, or {@code nodePort 30080/TCP (IPv4)}. */
  @Override
  public String toString() {
    return address
        .map(ip -> port == 0 ? ip + " (all ports)" : ip.withPort(port) + "/" + protocol)
        .orElseGet(() -> "nodePort " + port + "/" + protocol + " (" + family + ")");
  }
}
