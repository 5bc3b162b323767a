package dev.portolan.compare;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of which objects differ between two states of a cluster, in the words of the
 * Kubernetes API.
 *
 * <p>It costs what differs, however often it is asked for the causes of one service.
 */
public final class ObjectDiff {
  private final Map<NamespacedName, List<FieldChange>> services = new LinkedHashMap<>();
  private final Map<NamespacedName, SlicesDiff> slices = new TreeMap<>();
  private final List<FieldChange> nodes;
  private final List<FieldChange> zones = new ArrayList<>();
  private final List<FieldChange> serviceCidrs;
  private final ClusterImage before;
  private final ClusterImage after;
  private @Nullable ClaimDiff claims;

  private ObjectDiff(ClusterImage before, ClusterImage after) {
    this.before = before;
    this.after = after;
    before
        .services()
        .diff(
            after.services(),
            (name, old, now) -> services.put(name, compare(ObjectRef.service(name), old, now)));
    before.slices().diff(after.slices(), (name, old, now) -> addSlice(old, now));
    this.nodes = new ArrayList<>();
    before
        .nodes()
        .diff(
            after.nodes(),
            (name, old, now) -> {
              List<FieldChange> fields = compare(ObjectRef.node(name), old, now);
              nodes.addAll(fields);
              addZone(old, now, fields);
            });
    this.serviceCidrs = new ArrayList<>();
    before
        .serviceCidrs()
        .diff(
            after.serviceCidrs(),
            (name, old, now) ->
                serviceCidrs.addAll(compare(ObjectRef.serviceCidr(name), old, now)));
  }

  /** Compares two states. */
  public static ObjectDiff of(ClusterImage before, ClusterImage after) {
    return new ObjectDiff(before, after);
  }

  /** All that differs between two states. */
  public static List<FieldChange> between(ClusterImage before, ClusterImage after) {
    return of(before, after).changes();
  }

  /** What of it can have changed the decisions about {@code service}. */
  public static List<FieldChange> causes(
      NamespacedName service, ClusterImage before, ClusterImage after) {
    return of(before, after).causes(service);
  }

  /** All that differs: Services, EndpointSlices, Nodes, ServiceCIDRs. */
  public List<FieldChange> changes() {
    // A slice that was given to another service differs for both.
    Set<FieldChange> all = new LinkedHashSet<>();
    services.values().forEach(all::addAll);
    slices.values().forEach(diff -> all.addAll(diff.all()));
    all.addAll(nodes);
    all.addAll(serviceCidrs);
    return List.copyOf(all);
  }

  /**
   * What can have changed the decisions about {@code service}: its own objects; zones of nodes
   * where endpoints are meant for zones; where there is none of these, services that share an
   * address with it. What a proxy does not read, such as most labels, is none.
   */
  public List<FieldChange> causes(NamespacedName service) {
    List<FieldChange> causes = own(service);
    causes.removeIf(
        change -> change.object().equals(ObjectRef.service(service)) && !change.isDecisive());
    SlicesDiff own = slices.get(service);
    if (causes.isEmpty() || (own != null && own.hinted())) {
      causes.addAll(zones);
    }
    return causes.isEmpty() ? claims().causes(service) : causes;
  }

  /** What differs in the objects of {@code service} itself. */
  public List<FieldChange> own(NamespacedName service) {
    List<FieldChange> changes = new ArrayList<>(services.getOrDefault(service, List.of()));
    SlicesDiff own = slices.get(service);
    if (own != null) {
      changes.addAll(own.causes());
    }
    return changes;
  }

  /** What differs in Nodes. */
  public List<FieldChange> nodes() {
    return List.copyOf(nodes);
  }

  /** What differs in ServiceCIDRs. */
  public List<FieldChange> serviceCidrs() {
    return List.copyOf(serviceCidrs);
  }

  private ClaimDiff claims() {
    ClaimDiff known = claims;
    if (known == null) {
      known = new ClaimDiff(before.services(), after.services(), services);
      claims = known;
    }
    return known;
  }

  private void addSlice(@Nullable EndpointSlice old, @Nullable EndpointSlice now) {
    Set<NamespacedName> owners = new LinkedHashSet<>();
    for (EndpointSlice slice : new @Nullable EndpointSlice[] {old, now}) {
      if (slice != null) {
        owners.add(new NamespacedName(slice.name().namespace(), slice.serviceName()));
      }
    }
    for (NamespacedName owner : owners) {
      slices.computeIfAbsent(owner, SlicesDiff::new).add(old, now);
    }
  }

  private void addZone(@Nullable Node old, @Nullable Node now, List<FieldChange> fields) {
    String zone = old == null ? "" : old.zone();
    String zoneNow = now == null ? "" : now.zone();
    if (!zone.equals(zoneNow)) {
      fields.stream()
          .filter(change -> change.ofWholeObject() || change.field().equals(ObjectFields.ZONE))
          .forEach(zones::add);
    }
  }

  private static List<FieldChange> compare(
      ObjectRef object, @Nullable Object old, @Nullable Object now) {
    if (old == null) {
      return List.of(FieldChange.created(object));
    }
    if (now == null) {
      return List.of(FieldChange.deleted(object));
    }
    return ObjectFields.of(old).to(ObjectFields.of(now), object, "");
  }
}
