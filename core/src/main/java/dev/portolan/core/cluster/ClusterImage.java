package dev.portolan.core.cluster;

import dev.portolan.core.collection.PersistentMap;
import java.util.ArrayList;
import java.util.List;

/** The whole cluster at one moment. Versions share what is equal between them. */
public record ClusterImage(
    PersistentMap<NamespacedName, Service> services,
    PersistentMap<NamespacedName, EndpointSlice> slices,
    PersistentMap<String, Node> nodes,
    PersistentMap<String, ServiceCidr> serviceCidrs) {
  /** A cluster without objects. */
  public static final ClusterImage EMPTY =
      new ClusterImage(
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty());

  /** The slices that belong to {@code service}, by looking at all of them. */
  public List<EndpointSlice> slicesOf(NamespacedName service) {
    List<EndpointSlice> found = new ArrayList<>();
    slices.forEach((name, slice) -> {
      if (slice.service().filter(service::equals).isPresent()) {
        found.add(slice);
      }
    });
    return found;
  }
}
