package dev.portolan.backend.windows.hcn;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A network of containers.
 *
 * @param type as HNS writes it, such as {@code L2Bridge}
 * @param subnets where the pods of other nodes are, in an overlay
 */
public record HcnNetwork(UUID id, String name, String type, List<RemoteSubnet> subnets) {
  public HcnNetwork {
    subnets = List.copyOf(subnets);
  }

  /**
   * The pods of another node.
   *
   * @param provider the address of that node under the overlay
   */
  public record RemoteSubnet(Cidr destination, Ip provider) {}

  /** Whether packets between nodes are wrapped. */
  public boolean isOverlay() {
    return type.equalsIgnoreCase("Overlay");
  }

  /** The node that an address is on, or is; empty where the overlay does not know it. */
  public Optional<Ip> provider(Ip address) {
    return subnets.stream()
        .filter(
            subnet -> subnet.destination().contains(address) || subnet.provider().equals(address))
        .map(RemoteSubnet::provider)
        .findFirst();
  }
}
