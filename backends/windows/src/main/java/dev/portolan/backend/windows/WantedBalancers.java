package dev.portolan.backend.windows;

import dev.portolan.backend.windows.Balancer.Member;
import dev.portolan.core.net.Ip;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The load balancers that all services need together, and how many of them use each address
 * elsewhere. Kept in step with the image, service by service.
 */
final class WantedBalancers {
  private final Map<UUID, Entry> entries = new HashMap<>();
  private final Map<Ip, Integer> uses = new HashMap<>();

  /**
   * A load balancer and how many services need it: those for health checks can be shared.
   *
   * @param owners never 0
   */
  private record Entry(Balancer balancer, int owners) {}

  /** Adds what a service needs. */
  void add(Collection<Balancer> balancers) {
    for (Balancer balancer : balancers) {
      Entry before = entries.get(balancer.id());
      entries.put(balancer.id(), new Entry(balancer, before == null ? 1 : before.owners() + 1));
      count(balancer, 1);
      if (before != null) {
        count(before.balancer(), -1);
      }
    }
  }

  /** Takes away what a service needed. */
  void remove(Collection<Balancer> balancers) {
    for (Balancer balancer : balancers) {
      Entry before = entries.get(balancer.id());
      if (before != null && before.owners() > 1) {
        entries.put(balancer.id(), new Entry(before.balancer(), before.owners() - 1));
      } else if (before != null) {
        entries.remove(balancer.id());
        count(before.balancer(), -1);
      }
    }
  }

  private void count(Balancer balancer, int by) {
    elsewhere(balancer)
        .forEach(address ->
            uses.merge(address, by, (one, other) -> one + other == 0 ? null : one + other));
  }

  /** The addresses that a load balancer needs and that are not pods of this node. */
  static Set<Ip> elsewhere(Balancer balancer) {
    return Stream.concat(
            balancer.members().stream().filter(member -> !member.local()).map(Member::address),
            balancer.vipEndpoint().stream())
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** The load balancer with this identifier; null where none is needed. */
  @Nullable Balancer find(UUID id) {
    Entry entry = entries.get(id);
    return entry == null ? null : entry.balancer();
  }

  /** All identifiers. */
  Set<UUID> ids() {
    return Set.copyOf(entries.keySet());
  }

  /** Whether a load balancer needs an address that is not a pod of this node. */
  boolean uses(Ip address) {
    return uses.containsKey(address);
  }

  /** All addresses that are needed and not pods of this node. */
  Set<Ip> used() {
    return Set.copyOf(uses.keySet());
  }
}
