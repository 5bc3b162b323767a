package dev.portolan.testkit;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Makes transactions of what scenarios write down. */
final class Transactions {
  private Transactions() {}

  /** Sets every object of {@code objects}, and leaves others alone. */
  static ClusterDelta setting(ClusterImage objects) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    objects.services().forEach((name, service) -> delta.set(service));
    objects.slices().forEach((name, slice) -> delta.set(slice));
    objects.nodes().forEach((name, node) -> delta.set(node));
    objects.serviceCidrs().forEach((name, cidr) -> delta.set(cidr));
    return delta.build();
  }

  /** Sets every object of {@code objects} in a transaction of its own. */
  static List<ClusterDelta> settingEach(ClusterImage objects) {
    List<ClusterDelta> each = new ArrayList<>();
    objects
        .services()
        .forEach((name, service) -> each.add(ClusterDelta.builder().set(service).build()));
    objects.slices().forEach((name, slice) -> each.add(ClusterDelta.builder().set(slice).build()));
    objects.nodes().forEach((name, node) -> each.add(ClusterDelta.builder().set(node).build()));
    objects
        .serviceCidrs()
        .forEach((name, cidr) -> each.add(ClusterDelta.builder().set(cidr).build()));
    return each;
  }

  /** Deletes objects. */
  static ClusterDelta deleting(List<ObjectRef> objects) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (ObjectRef object : objects) {
      visit(
          object,
          delta::removeService,
          delta::removeSlice,
          delta::removeNode,
          delta::removeServiceCidr);
    }
    return delta.build();
  }

  /** Hands the name of {@code object} to the function for its kind. */
  static <T> T visit(
      ObjectRef object,
      Function<NamespacedName, T> service,
      Function<NamespacedName, T> slice,
      Function<String, T> node,
      Function<String, T> serviceCidr) {
    return switch (object.kind()) {
      case "Service" -> service.apply(namespaced(object.name()));
      case "EndpointSlice" -> slice.apply(namespaced(object.name()));
      case "Node" -> node.apply(object.name());
      case "ServiceCIDR" -> serviceCidr.apply(object.name());
      default -> throw new IllegalArgumentException("unknown kind " + object.kind());
    };
  }

  private static NamespacedName namespaced(String name) {
    int slash = name.indexOf('/');
    return new NamespacedName(name.substring(0, slash), name.substring(slash + 1));
  }
}
