package dev.portolan.source.union;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.collection.PersistentMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Clusters put together.
 *
 * @param image every object, from the first cluster that has it
 * @param repeated the objects of each cluster that an earlier one has too, and which do not count
 */
public record ClusterUnion(ClusterImage image, List<List<ObjectRef>> repeated) {
  /** The union of {@code images}, the first of which counts most. */
  public static ClusterUnion of(List<ClusterImage> images) {
    List<List<ObjectRef>> repeated = new ArrayList<>();
    images.forEach(image -> repeated.add(new ArrayList<>()));
    return new ClusterUnion(
        new ClusterImage(
            union(images, ClusterImage::services, ObjectRef::service, repeated),
            union(images, ClusterImage::slices, ObjectRef::slice, repeated),
            union(images, ClusterImage::nodes, ObjectRef::node, repeated),
            union(images, ClusterImage::serviceCidrs, ObjectRef::serviceCidr, repeated)),
        repeated);
  }

  /** Adds all others to the largest, so that one live cluster and a few files cost little. */
  private static <K extends Comparable<? super K>, V> PersistentMap<K, V> union(
      List<ClusterImage> images,
      Function<ClusterImage, PersistentMap<K, V>> objects,
      Function<K, ObjectRef> name,
      List<List<ObjectRef>> repeated) {
    List<PersistentMap<K, V>> maps = images.stream().map(objects).toList();
    int largest = 0;
    for (int i = 1; i < maps.size(); i++) {
      largest = maps.get(i).size() > maps.get(largest).size() ? i : largest;
    }
    PersistentMap<K, V> union = maps.get(largest);
    for (int i = 0; i < maps.size(); i++) {
      if (i == largest) {
        continue;
      }
      for (Map.Entry<K, V> entry : maps.get(i)) {
        K key = entry.getKey();
        int first = first(maps, key);
        if (first < i) {
          repeated.get(i).add(name.apply(key));
        } else {
          union = union.with(key, entry.getValue());
          if (i < largest && maps.get(largest).containsKey(key)) {
            repeated.get(largest).add(name.apply(key));
          }
        }
      }
    }
    return union;
  }

  private static <K extends Comparable<? super K>, V> int first(
      List<PersistentMap<K, V>> maps, K key) {
    int first = 0;
    while (!maps.get(first).containsKey(key)) {
      first++;
    }
    return first;
  }

  /** The names of all objects of {@code image}. */
  public static List<ObjectRef> objects(ClusterImage image) {
    List<ObjectRef> names = new ArrayList<>();
    image.services().forEach((name, service) -> names.add(ObjectRef.service(name)));
    image.slices().forEach((name, slice) -> names.add(ObjectRef.slice(name)));
    image.nodes().forEach((name, node) -> names.add(ObjectRef.node(name)));
    image.serviceCidrs().forEach((name, cidr) -> names.add(ObjectRef.serviceCidr(name)));
    return names;
  }

  /** Whether {@code image} has that object. */
  static boolean has(ClusterImage image, ObjectRef object) {
    return switch (object.kind()) {
      case "Service" -> contains(image.services(), object);
      case "EndpointSlice" -> contains(image.slices(), object);
      case "Node" -> image.nodes().containsKey(object.name());
      case "ServiceCIDR" -> image.serviceCidrs().containsKey(object.name());
      default -> false;
    };
  }

  private static boolean contains(PersistentMap<NamespacedName, ?> objects, ObjectRef object) {
    int slash = object.name().indexOf('/');
    return slash > 0
        && objects.containsKey(
            new NamespacedName(
                object.name().substring(0, slash), object.name().substring(slash + 1)));
  }
}
