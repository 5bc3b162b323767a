package dev.portolan.compare.decisions;

import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The services about which two clusters can decide differently, given the same settings: those
 * whose objects differ, and those that ask for an address of one of these, which only one of them
 * can have. All others need not be decided at all.
 */
final class AffectedServices {
  /** Above this share of all services it costs less to decide everything. */
  private static final int WORTHWHILE = 3;

  private final Set<NamespacedName> names = new HashSet<>();
  private final Deque<NamespacedName> fresh = new ArrayDeque<>();
  private final Map<Object, NamespacedName> firstClaimants = new HashMap<>();

  /** Services with an address that another one has too. */
  private final Map<NamespacedName, Set<NamespacedName>> rivals = new HashMap<>();

  private AffectedServices() {}

  /** What both clusters have of the affected services; empty where that is most of them. */
  static Optional<List<ClusterImage>> only(ClusterImage before, ClusterImage after) {
    ClusterChange change = ClusterChange.between(before, after);
    boolean zonesDiffer =
        change.nodes().stream()
            .anyMatch(name -> isElsewhere(before.nodes().get(name), after.nodes().get(name)));
    int most = Math.max(before.services().size(), after.services().size()) / WORTHWHILE;
    if (zonesDiffer || change.services().size() > most || change.slices().size() > most) {
      return Optional.empty();
    }
    AffectedServices affected = new AffectedServices();
    change.services().forEach(affected::add);
    for (NamespacedName slice : change.slices()) {
      affected.addOwner(before.slices().get(slice));
      affected.addOwner(after.slices().get(slice));
    }
    affected.addRivals(before, after);
    return affected.names.size() > most
        ? Optional.empty()
        : Optional.of(List.of(affected.in(before), affected.in(after)));
  }

  /** Whether a node sees services from another zone; one that only one side has is not asked. */
  private static boolean isElsewhere(@Nullable Node before, @Nullable Node after) {
    return before != null && after != null && !before.zone().equals(after.zone());
  }

  private void add(NamespacedName service) {
    if (names.add(service)) {
      fresh.add(service);
    }
  }

  private void addOwner(@Nullable EndpointSlice slice) {
    if (slice != null) {
      slice.service().ifPresent(this::add);
    }
  }

  private void addRivals(ClusterImage before, ClusterImage after) {
    before.services().forEach((name, service) -> claim(service));
    before.services().diff(after.services(), (name, old, now) -> claim(now));
    while (!fresh.isEmpty()) {
      rivals.getOrDefault(fresh.remove(), Set.of()).forEach(this::add);
    }
  }

  private void claim(@Nullable Service service) {
    if (service == null) {
      return;
    }
    service.clusterIps().forEach(ip -> claim(service, ip));
    service.externalIps().forEach(ip -> claim(service, ip));
    service.ingress().forEach(ingress -> claim(service, ingress.ip()));
    for (Service.Port port : service.ports()) {
      if (port.nodePort() != 0) {
        claim(service, (Object) port.nodePort());
      }
    }
  }

  private void claim(Service service, String address) {
    Ip.parse(address).ifPresent(ip -> claim(service, (Object) ip));
  }

  private void claim(Service service, Object place) {
    NamespacedName first = firstClaimants.putIfAbsent(place, service.name());
    if (first != null && !first.equals(service.name())) {
      rivals.computeIfAbsent(first, key -> new HashSet<>()).add(service.name());
      rivals.computeIfAbsent(service.name(), key -> new HashSet<>()).add(first);
    }
  }

  private ClusterImage in(ClusterImage cluster) {
    PersistentMap<NamespacedName, Service> services = PersistentMap.empty();
    for (NamespacedName name : names) {
      services = services.put(name, cluster.services().get(name));
    }
    PersistentMap<NamespacedName, EndpointSlice> slices = PersistentMap.empty();
    for (Map.Entry<NamespacedName, EndpointSlice> entry : cluster.slices()) {
      EndpointSlice slice = entry.getValue();
      if (slice.service().filter(names::contains).isPresent()) {
        slices = slices.with(entry.getKey(), slice);
      }
    }
    return new ClusterImage(services, slices, cluster.nodes(), cluster.serviceCidrs());
  }
}
