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

  /** This cluster with {@code node}, new or in place of the one of that name. */
  public ClusterImage with(Node node) {
    return new ClusterImage(services, slices, nodes.with(node.name(), node), serviceCidrs);
  }

  /** The same cluster, made from {@code older} so that both share whatever is equal. */
  public ClusterImage sharing(ClusterImage older) {
    return new ClusterImage(
        services.sharing(older.services),
        slices.sharing(older.slices),
        nodes.sharing(older.nodes),
        serviceCidrs.sharing(older.serviceCidrs));
  }

  /** Whether this is the very same version: nothing changed on the way from one to the other. */
  public boolean isIdenticalTo(ClusterImage other) {
    return services.isIdenticalTo(other.services)
        && slices.isIdenticalTo(other.slices)
        && nodes.isIdenticalTo(other.nodes)
        && serviceCidrs.isIdenticalTo(other.serviceCidrs);
  }

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
