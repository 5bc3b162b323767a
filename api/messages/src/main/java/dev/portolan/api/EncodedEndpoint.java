package dev.portolan.api;

import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.node.NodeService;
import java.util.Comparator;
import java.util.List;

/** An endpoint of the local stream, encoded at most once for its own node and once for others. */
public final class EncodedEndpoint {
  private final String path;
  private final Endpoint endpoint;
  private final Once<StreamItem> here;
  private final Once<StreamItem> elsewhere;

  private EncodedEndpoint(String path, Endpoint endpoint) {
    this.path = path;
    this.endpoint = endpoint;
    here = new Once<>(() -> item(endpoint.toBuilder().setLocal(true).build()));
    elsewhere = new Once<>(() -> item(endpoint));
  }

  /** The endpoints of {@code service}, in the order of their paths. */
  static List<EncodedEndpoint> all(NodeService service) {
    return KpngEndpoints.of(service).stream()
        .map(e -> new EncodedEndpoint(Paths.endpoint(service.name(), e.key()), e.message()))
        .sorted(Comparator.comparing(EncodedEndpoint::path))
        .toList();
  }

  /** Where the endpoint is in EndpointsSet. */
  public String path() {
    return path;
  }

  /** Adds or replaces the endpoint as {@code node} sees it. */
  public StreamItem set(String node) {
    return KpngEndpoints.isLocal(endpoint, node) ? here.get() : elsewhere.get();
  }

  /** Removes the endpoint. */
  public StreamItem delete() {
    return StreamItem.delete(Set.EndpointsSet, path);
  }

  /** Whether a client that holds {@code other} at the same path holds this one too. */
  public boolean sameAs(EncodedEndpoint other) {
    return endpoint.equals(other.endpoint);
  }

  private StreamItem item(Endpoint message) {
    return StreamItem.set(Set.EndpointsSet, path, message);
  }
}
