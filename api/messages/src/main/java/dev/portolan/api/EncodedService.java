package dev.portolan.api;

import dev.portolan.api.localv1.Set;
import dev.portolan.core.node.NodeService;
import java.util.List;

/** A service of the local stream, encoded at most once for all clients. */
public final class EncodedService {
  private final String path;
  private final Once<StreamItem> set;
  private final Once<List<EncodedEndpoint>> endpoints;

  private EncodedService(NodeService service) {
    path = Paths.service(service.name());
    set = new Once<>(() -> StreamItem.set(Set.ServicesSet, path, NodeMessages.service(service)));
    endpoints = new Once<>(() -> EncodedEndpoint.all(service));
  }

  /** Encodes {@code service} when it is first asked for. */
  public static EncodedService of(NodeService service) {
    return new EncodedService(service);
  }

  /** Where the service is in ServicesSet. */
  public String path() {
    return path;
  }

  /** Adds or replaces the service. */
  public StreamItem set() {
    return set.get();
  }

  /** Removes the service. */
  public StreamItem delete() {
    return StreamItem.delete(Set.ServicesSet, path);
  }

  /** The service's part of EndpointsSet, in the order of their paths. */
  public List<EncodedEndpoint> endpoints() {
    return endpoints.get();
  }
}
