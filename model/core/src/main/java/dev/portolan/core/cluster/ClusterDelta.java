package dev.portolan.core.cluster;

import dev.portolan.core.collection.PersistentMap;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An edit of a cluster: for each object that it touches, the new version, or nothing where the
 * object is gone.
 */
public record ClusterDelta(
    Map<NamespacedName, Optional<Service>> services,
    Map<NamespacedName, Optional<EndpointSlice>> slices,
    Map<String, Optional<Node>> nodes,
    Map<String, Optional<ServiceCidr>> serviceCidrs) {
  /** A transaction that touches nothing. */
  public static final ClusterDelta EMPTY = builder().build();

  public ClusterDelta {
    services = sorted(services);
    slices = sorted(slices);
    nodes = sorted(nodes);
    serviceCidrs = sorted(serviceCidrs);
  }

  /** Starts a transaction. */
  public static Builder builder() {
    return new Builder();
  }

  /** The transaction that leads from one image to another. */
  public static ClusterDelta between(ClusterImage before, ClusterImage after) {
    return new ClusterDelta(
        between(before.services(), after.services()),
        between(before.slices(), after.slices()),
        between(before.nodes(), after.nodes()),
        between(before.serviceCidrs(), after.serviceCidrs()));
  }

  private static <K extends Comparable<? super K>, V> Map<K, Optional<V>> between(
      PersistentMap<K, V> before, PersistentMap<K, V> after) {
    Map<K, Optional<V>> changes = new TreeMap<>();
    before.diff(after, (key, old, now) -> changes.put(key, Optional.ofNullable(now)));
    return changes;
  }

  /** The image after this transaction. */
  public ClusterImage applyTo(ClusterImage before) {
    return new ClusterImage(
        before.services().edited(services),
        before.slices().edited(slices),
        before.nodes().edited(nodes),
        before.serviceCidrs().edited(serviceCidrs));
  }

  /** Whether the transaction touches nothing. */
  public boolean isEmpty() {
    return services.isEmpty() && slices.isEmpty() && nodes.isEmpty() && serviceCidrs.isEmpty();
  }

  private static <K extends Comparable<? super K>, V> Map<K, V> sorted(Map<K, V> map) {
    return Collections.unmodifiableMap(new TreeMap<>(map));
  }

  /** Collects the changes of one transaction; the last word on an object counts. */
  public static final class Builder {
    private final Map<NamespacedName, Optional<Service>> services = new TreeMap<>();
    private final Map<NamespacedName, Optional<EndpointSlice>> slices = new TreeMap<>();
    private final Map<String, Optional<Node>> nodes = new TreeMap<>();
    private final Map<String, Optional<ServiceCidr>> serviceCidrs = new TreeMap<>();

    private Builder() {}

    /** Adds or replaces a service. */
    public Builder set(Service service) {
      services.put(service.name(), Optional.of(service));
      return this;
    }

    /** Adds or replaces a slice. */
    public Builder set(EndpointSlice slice) {
      slices.put(slice.name(), Optional.of(slice));
      return this;
    }

    /** Adds or replaces a node. */
    public Builder set(Node node) {
      nodes.put(node.name(), Optional.of(node));
      return this;
    }

    /** Adds or replaces a ServiceCIDR. */
    public Builder set(ServiceCidr serviceCidr) {
      serviceCidrs.put(serviceCidr.name(), Optional.of(serviceCidr));
      return this;
    }

    /** Removes a service. */
    public Builder removeService(NamespacedName name) {
      services.put(name, Optional.empty());
      return this;
    }

    /** Removes a slice. */
    public Builder removeSlice(NamespacedName name) {
      slices.put(name, Optional.empty());
      return this;
    }

    /** Removes a node. */
    public Builder removeNode(String name) {
      nodes.put(name, Optional.empty());
      return this;
    }

    /** Removes a ServiceCIDR. */
    public Builder removeServiceCidr(String name) {
      serviceCidrs.put(name, Optional.empty());
      return this;
    }

    /** The transaction. */
    public ClusterDelta build() {
      return new ClusterDelta(services, slices, nodes, serviceCidrs);
    }
  }
}
