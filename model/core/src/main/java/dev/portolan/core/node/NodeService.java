package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.text.Tree;
import java.util.List;

/**
 * A service as one node is to treat it. The unit of change: a delta carries whole services.
 *
 * @param healthCheckNodePort where the node answers load balancers that ask for local endpoints; 0
 *     where it does not
 * @param localReadyEndpoints how many addresses on this node are ready; counted only where there is
 *     a health-check nodePort
 * @param ports by family, then in the order of the object
 * @param preservesDestination whether endpoints are to see the service's own load-balancer address
 *     as the destination of packets, for what can do that
 * @param metadata labels and annotations, for clients that asked for them; otherwise, and in what
 *     the brain itself decides, none
 */
@Tree.Fields("name type healthCheckNodePort localReadyEndpoints preservesDestination ports")
public record NodeService(
    @Tree.Inline NamespacedName name,
    ServiceType type,
    int healthCheckNodePort,
    int localReadyEndpoints,
    List<ServicePort> ports,
    @Tree.OmitEmpty boolean preservesDestination,
    ServiceMetadata metadata) {
  public NodeService {
    ports = List.copyOf(ports);
  }

  /** What was decided, and nothing that is written on the service. */
  public NodeService(
      NamespacedName name,
      ServiceType type,
      int healthCheckNodePort,
      int localReadyEndpoints,
      List<ServicePort> ports) {
    this(name, type, healthCheckNodePort, localReadyEndpoints, ports, false, ServiceMetadata.NONE);
  }

  /** The same with what is written on the service. */
  public NodeService with(ServiceMetadata written) {
    return written.equals(metadata)
        ? this
        : new NodeService(
            name,
            type,
            healthCheckNodePort,
            localReadyEndpoints,
            ports,
            preservesDestination,
            written);
  }

  /** The same where its endpoints are to see the service's own address, or not. */
  public NodeService preservingDestination(boolean preserves) {
    return preserves == preservesDestination
        ? this
        : new NodeService(
            name, type, healthCheckNodePort, localReadyEndpoints, ports, preserves, metadata);
  }
}
