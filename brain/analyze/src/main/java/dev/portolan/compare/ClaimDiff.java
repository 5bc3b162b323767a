package dev.portolan.compare;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.collection.PersistentMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes of services that matter to another one because both ask for the same address. */
final class ClaimDiff {
  private final PersistentMap<NamespacedName, Service> before;
  private final PersistentMap<NamespacedName, Service> after;
  private final Map<NamespacedName, List<FieldChange>> changes;
  private final Map<String, Set<NamespacedName>> claimants = new LinkedHashMap<>();

  /** Looks at all services of the states before and after; {@code changes} are those of some. */
  ClaimDiff(
      PersistentMap<NamespacedName, Service> before,
      PersistentMap<NamespacedName, Service> after,
      Map<NamespacedName, List<FieldChange>> changes) {
    this.before = before;
    this.after = after;
    this.changes = changes;
    Set<NamespacedName> all = new LinkedHashSet<>(changes.keySet());
    before.forEach((name, service) -> all.add(name));
    after.forEach((name, service) -> all.add(name));
    for (NamespacedName name : all) {
      for (String claim : claims(name)) {
        claimants.computeIfAbsent(claim, _ -> new LinkedHashSet<>()).add(name);
      }
    }
  }

  /** The changes of those that ask, or asked, for an address of {@code service} as it does. */
  List<FieldChange> causes(NamespacedName service) {
    Set<NamespacedName> others = new LinkedHashSet<>();
    for (String claim : claims(service)) {
      others.addAll(claimants.getOrDefault(claim, Set.of()));
    }
    List<FieldChange> causes = new ArrayList<>();
    if (others.size() > 1) {
      others.forEach(name ->
          changes.getOrDefault(name, List.of()).stream()
              .filter(FieldChange::isDecisiveAmongClaims)
              .forEach(causes::add));
    }
    return causes;
  }

  private Set<String> claims(NamespacedName name) {
    Set<String> claims = new LinkedHashSet<>();
    collect(before.get(name), claims);
    collect(after.get(name), claims);
    return claims;
  }

  private static void collect(@Nullable Service service, Set<String> claims) {
    if (service == null) {
      return;
    }
    claims.addAll(service.clusterIps());
    claims.addAll(service.externalIps());
    service.ingress().forEach(ingress -> claims.add(ingress.ip()));
    for (Service.Port port : service.ports()) {
      claims.add("nodePort " + port.nodePort());
    }
    claims.removeAll(Set.of("", "None", "nodePort 0"));
  }
}
