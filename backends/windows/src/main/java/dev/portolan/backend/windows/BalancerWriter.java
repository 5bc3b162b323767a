package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnException;
import dev.portolan.backend.windows.hcn.HcnFailure;
import dev.portolan.backend.windows.hcn.HcnLoadBalancer;
import dev.portolan.backend.windows.hcn.HcnLoadBalancer.Frontend;
import dev.portolan.backend.windows.hcn.HostNetworks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes, changes and deletes load balancers, and remembers what HNS made of them. All identifiers
 * are ours; what HNS calls them is between this class and the {@link IdTable}.
 */
final class BalancerWriter {
  private static final UUID CHOSEN_BY_HNS = new UUID(0, 0);

  private final HostNetworks hns;
  private final IdTable ids;
  private final Map<UUID, Written> written = new HashMap<>();

  /** The load balancers of others, once they are known in this sync. */
  private @Nullable Map<Frontend, List<UUID>> others;

  private final List<String> replaced = new ArrayList<>();
  private boolean modifies;
  private int changes;

  BalancerWriter(HostNetworks hns, IdTable ids, boolean modifies) {
    this.hns = hns;
    this.ids = ids;
    this.modifies = modifies;
  }

  /**
   * A load balancer in HNS.
   *
   * @param sent what HNS was given
   * @param seen what it made of that: it may write some things its own way
   */
  private record Written(HcnLoadBalancer sent, HcnLoadBalancer seen) {}

  /** A new sync begins: what others have may have changed. */
  void expire() {
    others = null;
    changes = 0;
  }

  /** How many load balancers were made, changed or deleted in this sync. */
  int changes() {
    return changes;
  }

  /** What of others was deleted because ours had to take its place. */
  List<String> replaced() {
    return List.copyOf(replaced);
  }

  /**
   * Reads all load balancers of HNS; returns what HNS calls them.
   *
   * @param gone whether HNS does not have an endpoint any more: a load balancer that names it has
   *     to be written again, even if one with the same identifier comes
   */
  Set<UUID> read(Predicate<UUID> gone) {
    Map<UUID, Written> found = new HashMap<>();
    Map<Frontend, List<UUID>> foreign = new HashMap<>();
    Set<UUID> there = new HashSet<>();
    for (UUID id : hns.loadBalancerIds()) {
      there.add(id);
      Optional<HcnLoadBalancer> read = hns.loadBalancer(id);
      Optional<UUID> ours = ids.ours(id);
      if (read.isPresent() && ours.isPresent()) {
        HcnLoadBalancer seen = read.get().as(ours.get());
        Written before = written.get(ours.get());
        boolean untouched = before != null && before.seen().equals(seen);
        boolean whole = seen.endpoints().stream().noneMatch(gone);
        HcnLoadBalancer sent = whole ? seen : HcnLoadBalancer.unfinished(ours.get());
        found.put(ours.get(), untouched && whole ? before : new Written(sent, seen));
      } else if (ours.isPresent()) {
        HcnLoadBalancer unfinished = HcnLoadBalancer.unfinished(ours.get());
        found.put(ours.get(), new Written(unfinished, unfinished));
      } else {
        read.ifPresent(
            other -> foreign.computeIfAbsent(other.frontend(), _ -> new ArrayList<>()).add(id));
      }
    }
    written.clear();
    written.putAll(found);
    others = foreign;
    return there;
  }

  /** Whether HNS has exactly those load balancers that were written, apart from some. */
  boolean areThere(Set<UUID> apart) {
    Set<UUID> own = new HashSet<>();
    hns.loadBalancerIds().forEach(id -> ids.ours(id).ifPresent(own::add));
    own.removeIf(id -> apart.contains(id) && !written.containsKey(id));
    return own.equals(written.keySet());
  }

  /** What HNS has of ours. */
  Set<UUID> ids() {
    return Set.copyOf(written.keySet());
  }

  /** All endpoints that ours name. */
  Set<UUID> endpoints() {
    Set<UUID> named = new HashSet<>();
    written.values().forEach(one -> named.addAll(one.seen().endpoints()));
    return named;
  }

  /** What HNS has under an identifier of ours. */
  Optional<HcnLoadBalancer> find(UUID id) {
    return Optional.ofNullable(written.get(id)).map(Written::seen);
  }

  /** Which of ours send to an endpoint. */
  List<UUID> using(UUID endpoint) {
    return written.entrySet().stream()
        .filter(entry -> entry.getValue().seen().endpoints().contains(endpoint))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether something would have to be written for a load balancer to be like this. */
  Optional<String> difference(HcnLoadBalancer wanted) {
    Written there = written.get(wanted.id());
    return there == null
        ? Optional.of("+")
        : there.sent().equals(wanted) ? Optional.empty() : Optional.of("~");
  }

  /** Makes or changes a load balancer, unless it is like this already. */
  void put(HcnLoadBalancer wanted) {
    Written there = written.get(wanted.id());
    if (there != null && there.sent().equals(wanted)) {
      return;
    }
    HcnLoadBalancer seen = there == null ? create(wanted) : change(wanted);
    written.put(wanted.id(), new Written(wanted, seen));
    changes++;
  }

  /** Deletes a load balancer; one that is not there is fine. */
  void delete(UUID id) {
    if (written.remove(id) != null) {
      changes++;
      hns.deleteLoadBalancer(ids.theirs(id));
      ids.forget(id);
    }
  }

  /** Tries once more to delete what was to be deleted. */
  void deleteAgain(UUID id) {
    hns.deleteLoadBalancer(ids.theirs(id));
    ids.forget(id);
  }

  private HcnLoadBalancer change(HcnLoadBalancer wanted) {
    if (modifies) {
      try {
        return hns.modify(wanted.as(ids.theirs(wanted.id()))).as(wanted.id());
      } catch (HcnException e) {
        switch (e.failure()) {
          case NOT_RUNNING, NETWORK_NOT_FOUND, ENDPOINT_NOT_FOUND, DENIED, INVALID_IP -> throw e;
          case NOT_IMPLEMENTED -> modifies = false;
          default -> {
            // What cannot be changed in place can be made again.
          }
        }
      }
    }
    delete(wanted.id());
    return create(wanted);
  }

  private HcnLoadBalancer create(HcnLoadBalancer wanted) {
    try {
      return make(wanted);
    } catch (HcnException e) {
      if (e.failure() != HcnFailure.ALREADY_EXISTS || !makeWay(wanted)) {
        throw e;
      }
      return make(wanted);
    }
  }

  private HcnLoadBalancer make(HcnLoadBalancer wanted) {
    HcnLoadBalancer seen;
    if (ids.isUsed()) {
      seen = hns.create(wanted.as(CHOSEN_BY_HNS));
    } else {
      try {
        seen = hns.create(wanted);
      } catch (HcnException e) {
        if (e.failure() != HcnFailure.INVALID_ARGUMENT) {
          throw e;
        }
        seen = hns.create(wanted.as(CHOSEN_BY_HNS));
      }
    }
    ids.put(wanted.id(), seen.id());
    return seen.as(wanted.id());
  }

  /**
   * Deletes the load balancer that is in the way of ours: one that another proxy left, or one of
   * ours that was not known. Where there are several, none is touched.
   */
  private boolean makeWay(HcnLoadBalancer wanted) {
    if (others == null || !others.containsKey(wanted.frontend())) {
      readOthers();
    }
    List<UUID> found =
        others == null ? List.of() : others.getOrDefault(wanted.frontend(), List.of());
    if (found.size() != 1) {
      return false;
    }
    UUID other = found.getFirst();
    hns.deleteLoadBalancer(other);
    if (ids.ours(other).isEmpty()) {
      replaced.add(
          "load balancer "
              + other
              + " at "
              + wanted
                  .vip()
                  .map(vip -> vip.withPort(wanted.port().external()))
                  .orElseGet(() -> "nodePort " + wanted.port().external()));
    }
    return true;
  }

  /** Reads what is not known to be ours, by what it serves. */
  private void readOthers() {
    Map<Frontend, List<UUID>> found = new HashMap<>();
    for (UUID id : hns.loadBalancerIds()) {
      if (ids.ours(id).filter(written::containsKey).isEmpty()) {
        hns.loadBalancer(id)
            .ifPresent(
                other -> found.computeIfAbsent(other.frontend(), _ -> new ArrayList<>()).add(id));
      }
    }
    others = found;
  }
}
