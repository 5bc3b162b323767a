package dev.portolan.client;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns changes into the calls of a {@link ServiceListener}; no call is made twice. */
public final class ListenerBackend implements Backend {
  private final ServiceListener listener;

  /** Calls {@code listener}. */
  public ListenerBackend(ServiceListener listener) {
    this.listener = listener;
  }

  ServiceListener listener() {
    return listener;
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
  public void sync(NodeChange change) {
    if (change.before().isSynced() && change.isEmpty()) {
      return;
    }
    if (change.factsChanged()) {
      listener.setNode(change.after().facts());
    }
    for (NodeService gone : change.removed()) {
      deleteEndpoints(gone, null);
      listener.deleteService(gone.name());
    }
    for (ServiceChange service : change.services()) {
      if (service.after() != null) {
        deleteEndpoints(service.before(), service.after());
      }
    }
    for (ServiceChange service : change.services()) {
      if (service.after() != null) {
        set(service.before(), service.after());
      }
    }
    listener.sync();
  }

  /** There is nothing of this backend's own to remove. */
  @Override
  public void cleanup() {}

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
        service.ports().stream().map(ListenerBackend::withoutEndpoints).toList(),
        service.preservesDestination(),
        service.metadata());
  }

  private static ServicePort withoutEndpoints(ServicePort port) {
    return new ServicePort(
        port.name(),
        port.addresses(),
        port.sourceRanges(),
        port.affinitySeconds(),
        port.balancing(),
        port.routes(),
        List.of(),
        List.of(),
        List.of());
  }
}
