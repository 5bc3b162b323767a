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
   * @param mismatch that slices have endpoints but not this port, for a person; empty where not so
   */
  public record Port(
      Frontend frontend,
      List<EndpointCandidate> candidates,
      List<PassedOver> passedOver,
      String mismatch) {}

  /**
   * A member of a slice that cannot be a candidate, and why.
   *
   * @param address as it is written
   * @param port 0 where the address is the reason
   */
  public record PassedOver(
      NamespacedName slice, int index, String address, int port, Reason reason) {}

  /** The service's name. */
  public NamespacedName name() {
    return service.name();
  }
}
