package dev.portolan.core.cluster;

import dev.portolan.core.collection.PersistentMap;
import java.util.ArrayList;
import java.util.List;

/** The names of the objects that differ between two images, in order. */
public record ClusterChange(
    List<NamespacedName> services,
    List<NamespacedName> slices,
    List<String> nodes,
    List<String> serviceCidrs) {
  /** Compares two images; what they share costs nothing. */
  public static ClusterChange between(ClusterImage before, ClusterImage after) {
    return new ClusterChange(
        changed(before.services(), after.services()),
        changed(before.slices(), after.slices()),
        changed(before.nodes(), after.nodes()),
        changed(before.serviceCidrs(), after.serviceCidrs()));
  }

  /** Whether the images hold the same. */
  public boolean isEmpty() {
    return services.isEmpty() && slices.isEmpty() && nodes.isEmpty() && serviceCidrs.isEmpty();
  }

  private static <K extends Comparable<? super K>, V> List<K> changed(
      PersistentMap<K, V> before, PersistentMap<K, V> after) {
    List<K> names = new ArrayList<>();
    before.diff(after, (name, old, now) -> names.add(name));
    return names;
  }
}
