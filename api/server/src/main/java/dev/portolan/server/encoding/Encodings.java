package dev.portolan.server.encoding;

import dev.portolan.api.ClusterItems;
import dev.portolan.api.EncodedService;
import dev.portolan.api.StreamItem;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.node.NodeService;
import java.util.List;

/** Everything as it goes out, encoded once for all streams. */
public final class Encodings {
  private final IdentityCache<NodeService, EncodedService> nodeServices =
      new IdentityCache<>(service -> EncodedService.of(copy(service)));
  private final IdentityCache<Service, StreamItem> services =
      new IdentityCache<>(ClusterItems::service);
  private final IdentityCache<Service, StreamItem> metadata =
      new IdentityCache<>(ClusterItems::metadata);
  private final IdentityCache<EndpointSlice, StreamItem> slices =
      new IdentityCache<>(ClusterItems::slice);
  private final IdentityCache<EndpointSlice, List<ClusterItems.Entry>> endpoints =
      new IdentityCache<>(ClusterItems::endpointInfos);
  private final IdentityCache<Node, StreamItem> nodes = new IdentityCache<>(ClusterItems::node);
  private final IdentityCache<ServiceCidr, StreamItem> serviceCidrs =
      new IdentityCache<>(ClusterItems::serviceCidr);

  /** The encoded form holds what it is made of; with a copy of it, the original is let go. */
  private static NodeService copy(NodeService service) {
    return new NodeService(
            service.name(),
            service.type(),
            service.healthCheckNodePort(),
            service.localReadyEndpoints(),
            service.ports())
        .preservingDestination(service.preservesDestination());
  }

  EncodedService of(NodeService service) {
    return nodeServices.get(service);
  }

  StreamItem of(Service service) {
    return services.get(service);
  }

  /** What is written on {@code service}. */
  StreamItem metadataOf(Service service) {
    return metadata.get(service);
  }

  StreamItem of(EndpointSlice slice) {
    return slices.get(slice);
  }

  /** The members of {@code slice} one by one, as KPNG has them. */
  List<ClusterItems.Entry> endpointsOf(EndpointSlice slice) {
    return endpoints.get(slice);
  }

  StreamItem of(Node node) {
    return nodes.get(node);
  }

  StreamItem of(ServiceCidr cidr) {
    return serviceCidrs.get(cidr);
  }

  /** How many services of nodes are kept encoded. */
  int size() {
    return nodeServices.size();
  }
}
