package dev.portolan.client;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns states into the calls of a {@link ServiceListener}.
 *
 * <p>It compares with its last calls rather than with what it is handed, so no call is made twice
 * when everything is synced again.
 */
public final class ListenerBackend implements Backend {
  private final ServiceListener listener;
  private NodeImage told = NodeImage.unsynced("");

  /** Calls {@code listener}. */
  public ListenerBackend(ServiceListener listener) {
    this.listener = listener;
  }

  /** An endpoint of one service, wherever it is. */
  private record Key(ServicePortName port, Endpoint endpoint) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byPort = port.compareTo(other.port);
      return byPort != 0 ? byPort : endpoint.compareTo(other.endpoint);
    }
  }

  @Override
  public void sync(NodeImage image, NodeDelta delta) {
    NodeDelta difference = NodeDelta.between(told, image);
    if (told.isSynced() && difference.isEmpty()) {
      told = image;
      return;
    }
    difference.facts().ifPresent(listener::setNode);
    for (NamespacedName name : difference.removed()) {
      deleteEndpoints(told.service(name), null);
      listener.deleteService(name);
    }
    for (NodeService service : difference.set()) {
      deleteEndpoints(told.service(service.name()), service);
    }
    for (NodeService service : difference.set()) {
      set(told.service(service.name()), service);
    }
    listener.sync();
    told = image;
  }

  /** Everything so far is gone. */
  @Override
  public void cleanup() {
    for (NodeService service : told.services()) {
      deleteEndpoints(service, null);
      listener.deleteService(service.name());
    }
    listener.sync();
    told = NodeImage.unsynced("");
  }

  private void deleteEndpoints(@Nullable NodeService before, @Nullable NodeService after) {
    Map<Key, ChosenEndpoint> kept = endpoints(after);
    endpoints(before)
        .descendingMap()
        .forEach((key, endpoint) -> {
          if (!kept.containsKey(key)) {
            listener.deleteEndpoint(key.port(), endpoint);
          }
        });
  }

  private void set(@Nullable NodeService before, NodeService after) {
    if (before == null || !withoutEndpoints(before).equals(withoutEndpoints(after))) {
      listener.setService(after);
    }
    Map<Key, ChosenEndpoint> known = endpoints(before);
    endpoints(after)
        .forEach((key, endpoint) -> {
          if (!endpoint.equals(known.get(key))) {
            listener.setEndpoint(key.port(), endpoint);
          }
        });
  }

  private static NavigableMap<Key, ChosenEndpoint> endpoints(@Nullable NodeService service) {
    NavigableMap<Key, ChosenEndpoint> endpoints = new TreeMap<>();
    if (service != null) {
      for (ServicePort port : service.ports()) {
        ChosenEndpoint.of(port)
            .forEach((endpoint, chosen) -> endpoints.put(new Key(port.name(), endpoint), chosen));
      }
    }
    return endpoints;
  }

  private static NodeService withoutEndpoints(NodeService service) {
    return new NodeService(
        service.name(),
        service.type(),
        service.healthCheckNodePort(),
        service.localReadyEndpoints(),
        service.ports().stream().map(ListenerBackend::withoutEndpoints).toList());
  }

  private static ServicePort withoutEndpoints(ServicePort port) {
    return new ServicePort(
        port.name(),
        port.addresses(),
        port.sourceRanges(),
        port.affinitySeconds(),
        port.routes(),
        List.of(),
        List.of(),
        List.of());
  }
}
