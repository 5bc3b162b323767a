package dev.portolan.brain;

import dev.portolan.brain.Claim.Claimant;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.ServiceAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who holds which place, where several services may claim the same one. */
final class Claims {
  private final Map<Claim, Claimant> holders = new HashMap<>();

  /** Those that would hold a place if its holder went; few places have any. */
  private final Map<Claim, NavigableSet<Claimant>> waiting = new HashMap<>();

  /** Who holds {@code claim}, or null. */
  @Nullable Claimant holder(Claim claim) {
    return holders.get(claim);
  }

  /**
   * Lets {@code after} claim its places instead of {@code before}; either may be null. A place that
   * changes hands is added to {@code moved}.
   */
  void replace(@Nullable ServiceDraft before, @Nullable ServiceDraft after, Set<Claim> moved) {
    if (before != null && after != null && sameClaims(before, after)) {
      return;
    }
    Map<Claim, Claimant> old = of(before);
    Map<Claim, Claimant> now = of(after);
    old.forEach((claim, claimant) -> {
      if (!claimant.equals(now.get(claim))) {
        remove(claim, claimant, moved);
      }
    });
    now.forEach((claim, claimant) -> {
      if (!claimant.equals(old.get(claim))) {
        add(claim, claimant, moved);
      }
    });
  }

  /** Whether two drafts of a service claim the same: most changes are of endpoints alone. */
  private static boolean sameClaims(ServiceDraft before, ServiceDraft after) {
    if (before.ports().size() != after.ports().size()
        || !before.service().created().equals(after.service().created())) {
      return false;
    }
    for (int i = 0; i < before.ports().size(); i++) {
      Frontend old = before.ports().get(i).frontend();
      Frontend now = after.ports().get(i).frontend();
      if (old.name().protocol() != now.name().protocol()
          || !old.addresses().equals(now.addresses())) {
        return false;
      }
    }
    return true;
  }

  private static Map<Claim, Claimant> of(@Nullable ServiceDraft draft) {
    if (draft == null) {
      return Map.of();
    }
    Map<Claim, Claimant> made = new HashMap<>();
    for (ServiceDraft.Port port : draft.ports()) {
      for (ServiceAddress address : port.frontend().addresses()) {
        made.put(
            Claim.of(port.frontend(), address),
            new Claimant(address.kind(), draft.service().created(), draft.name()));
      }
    }
    return made;
  }

  /** Adds a claimant; if the place changes hands, it is added to {@code moved}. */
  void add(Claim claim, Claimant claimant, Set<Claim> moved) {
    Claimant holder = holders.putIfAbsent(claim, claimant);
    if (holder == null) {
      return;
    }
    boolean wins = claimant.compareTo(holder) < 0;
    waiting.computeIfAbsent(claim, key -> new TreeSet<>()).add(wins ? holder : claimant);
    if (wins) {
      holders.put(claim, claimant);
      moved.add(claim);
    }
  }

  /** Removes a claimant; if the place changes hands, it is added to {@code moved}. */
  void remove(Claim claim, Claimant claimant, Set<Claim> moved) {
    NavigableSet<Claimant> queue = waiting.getOrDefault(claim, new TreeSet<>());
    if (claimant.equals(holders.get(claim))) {
      Claimant next = queue.pollFirst();
      if (next == null) {
        holders.remove(claim);
      } else {
        holders.put(claim, next);
        moved.add(claim);
      }
    } else {
      queue.remove(claimant);
    }
    if (queue.isEmpty()) {
      waiting.remove(claim);
    }
  }

  /** Adds every service that claims {@code claim} to {@code services}. */
  void collect(Claim claim, Set<NamespacedName> services) {
    Claimant holder = holders.get(claim);
    if (holder != null) {
      services.add(holder.service());
    }
    waiting.getOrDefault(claim, new TreeSet<>()).forEach(other -> services.add(other.service()));
  }
}
