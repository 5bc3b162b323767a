package dev.portolan.compare.decisions;

import dev.portolan.core.cluster.NamespacedName;
import java.util.Comparator;
import java.util.List;

/**
 * What differs for one service.
 *
 * @param nodes the nodes on which anything differs
 * @param properties of the service as a whole
 * @param ports the ports that differ, by name
 */
public record ServiceDifference(
    NamespacedName name,
    Presence presence,
    NodeSet nodes,
    List<PropertyChange> properties,
    List<PortDifference> ports) {
  /** The worst first, then those that concern more nodes, then by name. */
  static final Comparator<ServiceDifference> ORDER =
      Comparator.comparing(ServiceDifference::gravity)
          .thenComparingInt(difference -> -difference.nodes.size())
          .thenComparing(ServiceDifference::name);

  public ServiceDifference {
    properties = List.copyOf(properties);
    ports = List.copyOf(ports);
  }

  /** How much it matters: as much as the worst of its ports. */
  public Gravity gravity() {
    return ports.stream()
        .map(PortDifference::gravity)
        .min(Comparator.naturalOrder())
        .orElse(Gravity.ADJUSTS);
  }
}
