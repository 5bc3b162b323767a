package dev.portolan.sync;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Finds what a backend cannot do for services, so that it is reported once for each. */
final class Shortfalls {
  private final Backend backend;
  private final Map<NamespacedName, String> said = new HashMap<>();

  Shortfalls(Backend backend) {
    this.backend = backend;
  }

  /** Tells {@code news} of services in {@code change} and what cannot be done for them. */
  void find(NodeChange change, BiConsumer<NamespacedName, String> news) {
    change.removed().forEach(service -> said.remove(service.name()));
    for (NodeService service : change.set()) {
      Optional<String> found;
      try {
        found = of(service);
      } catch (Throwable e) {
        // Not known now; the next change of the service asks again.
        Guard.add("a backend's shortfalls", e);
        continue;
      }
      if (found.isEmpty()) {
        said.remove(service.name());
      } else if (!found.get().equals(said.put(service.name(), found.get()))) {
        news.accept(service.name(), found.get());
      }
    }
  }

  private Optional<String> of(NodeService service) {
    for (ServicePort port : service.ports()) {
      Optional<String> shortfall = backend.shortfall(port);
      if (shortfall.isPresent()) {
        return shortfall;
      }
    }
    return Optional.empty();
  }
}
