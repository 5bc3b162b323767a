package dev.portolan.brain;

import dev.portolan.brain.Claim.Claimant;
import dev.portolan.core.cluster.NamespacedName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who holds which place, where several services may claim the same one. */
final class Claims {
  private final Map<Claim, List<Claimant>> claimants = new HashMap<>();

  /** Who holds {@code claim}, or null. */
  @Nullable Claimant holder(Claim claim) {
    List<Claimant> queue = claimants.get(claim);
    return queue == null ? null : queue.getFirst();
  }

  /**
   * Adds a claimant; if the address thereby changes hands, all its claimants are {@code affected}.
   */
  void add(Claim claim, Claimant claimant, Set<NamespacedName> affected) {
    List<Claimant> queue = claimants.get(claim);
    if (queue == null) {
      claimants.put(claim, List.of(claimant));
      return;
    }
    List<Claimant> longer = new ArrayList<>(queue);
    longer.add(claimant);
    longer.sort(null);
    replace(claim, queue, longer, affected);
  }

  /**
   * Removes a claimant; if the address thereby changes hands, all its claimants are {@code
   * affected}.
   */
  void remove(Claim claim, Claimant claimant, Set<NamespacedName> affected) {
    List<Claimant> queue = claimants.get(claim);
    if (queue == null) {
      return;
    }
    List<Claimant> shorter = new ArrayList<>(queue);
    shorter.remove(claimant);
    replace(claim, queue, shorter, affected);
  }

  private void replace(
      Claim claim, List<Claimant> before, List<Claimant> after, Set<NamespacedName> affected) {
    if (after.isEmpty()) {
      claimants.remove(claim);
      return;
    }
    claimants.put(claim, List.copyOf(after));
    if (!after.getFirst().equals(before.getFirst())) {
      before.forEach(claimant -> affected.add(claimant.service()));
      after.forEach(claimant -> affected.add(claimant.service()));
    }
  }
}
