package dev.portolan.analyze;

import dev.portolan.core.cluster.NamespacedName;
import java.util.List;
import java.util.Map;

/**
 * What a Service says to other programs than a proxy.
 *
 * @param selector the labels of its Pods; empty where the endpoints come from elsewhere
 * @param targets the target port of each of its ports, in their order
 * @param distribution {@code spec.trafficDistribution}, or what the older annotation asks for;
 *     empty without either
 * @param distributionField which of the two it was
 * @param hasIngress whether a load balancer has reported an address or a host name
 */
public record WholeService(
    NamespacedName name,
    Map<String, String> selector,
    List<Target> targets,
    String distribution,
    String distributionField,
    boolean hasIngress) {
  public WholeService {
    selector = Map.copyOf(selector);
    targets = List.copyOf(targets);
  }

  /**
   * Where the connections to a port go on a Pod.
   *
   * @param word the name of a container's port; empty where it is a number
   * @param number 0 where it is a name
   */
  public record Target(String word, int number) {}

  /** Whether Pods are selected for it. */
  public boolean hasSelector() {
    return !selector.isEmpty();
  }
}
