package dev.portolan.brain;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.node.Reason;
import java.util.List;

/**
 * A service and its slices, read and checked, before any node looks at it.
 *
 * @param ports empty where the service is not for us
 * @param skipped why the service is not for us, for a person; empty where it is
 */
public record ServiceDraft(
    Service service,
    int healthCheckNodePort,
    List<Port> ports,
    String skipped,
    List<Warning> warnings) {
  /**
   * One port in one family.
   *
   * @param candidates the endpoints that could be chosen, in the order of addresses
   * @param passedOver members of slices that cannot be candidates
   */
  public record Port(
      Frontend frontend, List<EndpointCandidate> candidates, List<PassedOver> passedOver) {}

  /** A member of a slice that cannot be a candidate, and why. */
  public record PassedOver(NamespacedName slice, int index, String address, Reason reason) {}

  /** The service's name. */
  public NamespacedName name() {
    return service.name();
  }
}
