package dev.portolan.terminal.view;

import dev.portolan.core.cluster.NamespacedName;
import java.util.List;
import java.util.Optional;

/**
 * Which services a person wants to see.
 *
 * @param namespace the only one, or nothing for all of them
 * @param names as {@code web} for that name in any of these namespaces or as {@code shop/web}; none
 *     for all of them
 */
public record ServiceFilter(Optional<String> namespace, List<String> names) {
  /** Every service. */
  public static final ServiceFilter ALL = new ServiceFilter(Optional.empty(), List.of());

  public ServiceFilter {
    names = List.copyOf(names);
  }

  /** Whether a service is wanted. */
  public boolean matches(NamespacedName service) {
    return names.isEmpty()
        ? namespace.isEmpty() || namespace.get().equals(service.namespace())
        : names.stream().anyMatch(name -> matches(name, service));
  }

  /** Whether {@code name}, as a person wrote it, is that of a service. */
  public boolean matches(String name, NamespacedName service) {
    return name.contains("/")
        ? service.toString().equals(name)
        : service.name().equals(name)
            && (namespace.isEmpty() || namespace.get().equals(service.namespace()));
  }
}
