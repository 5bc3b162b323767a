package dev.portolan.backend.windows.hcn;

import dev.portolan.core.net.Ip;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An endpoint of a network: a container of this node, or a place elsewhere that load balancers may
 * send to.
 *
 * @param name empty where it has none
 * @param addresses one per family
 * @param mac six pairs of digits with {@code -} between them
 * @param remote whether it is elsewhere
 * @param provider the node that it is on, in an overlay
 */
public record HcnEndpoint(
    UUID id,
    String name,
    UUID network,
    List<Ip> addresses,
    String mac,
    boolean remote,
    Optional<Ip> provider) {
  public HcnEndpoint {
    addresses = List.copyOf(addresses);
  }

  /** The same under another identifier. */
  public HcnEndpoint as(UUID other) {
    return new HcnEndpoint(other, name, network, addresses, mac, remote, provider);
  }
}
