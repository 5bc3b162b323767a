package dev.portolan.server;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.explain.Target;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which service sends traffic to an endpoint, asked of many nodes again and again.
 *
 * <p>Nodes share the layers of their services, so what was found in a layer is kept, and another
 * layer is read as far as it differs from the one before it.
 */
final class EndpointUse {
  private static final int MOST_LAYERS = 50_000;

  private final Target.OfAddress endpoint;
  private final IdentityHashMap<PersistentMap<NamespacedName, NodeService>, Set<NamespacedName>>
      known = new IdentityHashMap<>();
  private final List<Layers> layers = List.of(new Layers(), new Layers(), new Layers());

  /** Follows one of the three layers from node to node and from state to state. */
  private final class Layers {
    private PersistentMap<NamespacedName, NodeService> last = PersistentMap.empty();
    private Set<NamespacedName> lastUsers = Set.of();

    /** The services of {@code layer} that use the endpoint. */
    Set<NamespacedName> users(PersistentMap<NamespacedName, NodeService> layer) {
      if (layer.isEmpty()) {
        return Set.of();
      }
      Set<NamespacedName> users = known.get(layer);
      if (users == null) {
        Set<NamespacedName> found = new TreeSet<>(lastUsers);
        last.diff(
            layer,
            (name, before, after) -> {
              if (user(after) != null) {
                found.add(name);
              } else {
                found.remove(name);
              }
            });
        users = found;
        known.put(layer, users);
      }
      last = layer;
      lastUsers = users;
      return users;
    }
  }

  /** Looks for {@code endpoint}; without a port, for every port of its address. */
  EndpointUse(Target.OfAddress endpoint) {
    this.endpoint = endpoint;
  }

  /** The first port that sends traffic to the endpoint; empty where none does. */
  Optional<ServicePort> in(NodeServices services) {
    if (known.size() > MOST_LAYERS) {
      known.clear();
    }
    Set<NamespacedName> candidates = new TreeSet<>(layers.get(0).users(services.base()));
    candidates.addAll(layers.get(1).users(services.zone()));
    candidates.addAll(layers.get(2).users(services.node()));
    return candidates.stream()
        .flatMap(name -> Optional.ofNullable(user(services.get(name))).stream())
        .findFirst();
  }

  private @Nullable ServicePort user(@Nullable NodeService service) {
    if (service != null) {
      for (ServicePort port : service.ports()) {
        Protocol protocol = port.name().protocol();
        if (endpoint.protocol().map(protocol::equals).orElse(true) && leadsThere(port)) {
          return port;
        }
      }
    }
    return null;
  }

  private boolean leadsThere(ServicePort port) {
    for (Traffic traffic : Traffic.values()) {
      for (var used : port.endpoints(traffic)) {
        if (used.address().equals(endpoint.address())
            && (endpoint.port() == 0 || endpoint.port() == used.port())) {
          return true;
        }
      }
    }
    return false;
  }
}
