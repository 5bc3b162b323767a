package dev.portolan.client;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An endpoint of a service port, and the traffic that is spread over it on this node. An endpoint
 * that only still serves, and is chosen for nothing, does not count.
 *
 * @param traffic never empty
 */
public record ChosenEndpoint(Endpoint endpoint, Set<Traffic> traffic) {
  public ChosenEndpoint {
    traffic = Set.copyOf(traffic);
  }

  /** The endpoints of {@code port} in the order of their addresses. */
  public static SortedMap<Endpoint, ChosenEndpoint> of(ServicePort port) {
    SortedMap<Endpoint, EnumSet<Traffic>> uses = new TreeMap<>();
    for (Traffic traffic : Traffic.values()) {
      for (Endpoint endpoint : port.endpoints(traffic)) {
        uses.computeIfAbsent(endpoint, key -> EnumSet.noneOf(Traffic.class)).add(traffic);
      }
    }
    SortedMap<Endpoint, ChosenEndpoint> chosen = new TreeMap<>();
    uses.forEach(
        (endpoint, traffic) -> chosen.put(endpoint, new ChosenEndpoint(endpoint, traffic)));
    return chosen;
  }

  /** {@code address:port}. */
  @Override
  public String toString() {
    return endpoint.toString();
  }
}
