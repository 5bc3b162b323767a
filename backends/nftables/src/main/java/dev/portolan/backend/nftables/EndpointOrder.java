package dev.portolan.backend.nftables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which number each endpoint has, or which numbers where it has several turns. It keeps them while
 * it can: a new one takes a number that became free or the next one, and where one goes the last
 * takes its place. So a change rewrites as few elements as possible.
 *
 * <p>What is kept is the order of the elements in the kernel. Asking for a port as it was returns
 * that order, asking for the port as it should be returns the next one; neither changes what is
 * kept. {@link #keep} does, after the kernel took the change.
 */
final class EndpointOrder {
  private static final Order NONE = new Order(List.of(), List.of());

  private Map<Key, Order> kept = new HashMap<>();

  /** What was worked out since, in case that it is asked for again. */
  private final Map<Key, Order> next = new HashMap<>();

  /** The order that a list of endpoints has got. */
  private record Order(List<Endpoint> wanted, List<Endpoint> numbered) {
    /** Whether it is that of the very same list; comparing large ones costs. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(List<Endpoint> turns) {
      return wanted == turns;
    }

    /** The order for another list, with as few other numbers as possible. */
    List<Endpoint> next(List<Endpoint> turns) {
      if (numbered.isEmpty()) {
        return turns;
      }
      EndpointDifference difference = EndpointDifference.between(wanted, turns);
      List<Endpoint> slots = new ArrayList<>(numbered);
      Deque<Integer> holes = difference.holes(slots);
      for (Endpoint endpoint : difference.come()) {
        if (holes.isEmpty()) {
          slots.add(endpoint);
        } else {
          slots.set(holes.removeFirst(), endpoint);
        }
      }
      while (!holes.isEmpty()) {
        int last = slots.size() - 1;
        if (holes.getLast() == last) {
          holes.removeLast();
        } else {
          slots.set(holes.removeFirst(), slots.get(last));
        }
        slots.removeLast();
      }
      return slots.equals(turns) ? turns : List.copyOf(slots);
    }
  }

  private record Key(ServicePortName name, IpFamily family, Pool pool) {
    static Key of(ServicePort port, Pool pool) {
      return new Key(port.name(), port.family(), pool);
    }
  }

  /** The order of a port's endpoints, as close as can be to the one that is kept. */
  List<Endpoint> of(ServicePort port, Pool pool) {
    return port.endpoints(pool).isEmpty() ? List.of() : order(port, pool).numbered;
  }

  private Order order(ServicePort port, Pool pool) {
    Key key = Key.of(port, pool);
    List<Endpoint> turns = port.balancing().turns(port.endpoints(pool));
    Order now = kept.getOrDefault(key, NONE);
    if (now.isOf(turns)) {
      return now;
    }
    Order later = next.getOrDefault(key, NONE);
    if (!later.isOf(turns)) {
      later = new Order(turns, now.next(turns));
      next.put(key, later);
    }
    return later;
  }

  /**
   * Keeps the orders of a service that changed, as {@link #of} gives them; null where it is not.
   */
  void keep(@Nullable NodeService before, @Nullable NodeService after) {
    Map<Key, Order> now = new HashMap<>();
    collect(after, now);
    if (before != null) {
      for (ServicePort port : before.ports()) {
        for (Pool pool : Pool.values()) {
          kept.remove(Key.of(port, pool));
          next.remove(Key.of(port, pool));
        }
      }
    }
    kept.putAll(now);
    next.keySet().removeAll(now.keySet());
  }

  /** Keeps the orders of all services, as {@link #of} gives them, and no others. */
  void keep(List<NodeService> services) {
    Map<Key, Order> now = new HashMap<>();
    services.forEach(service -> collect(service, now));
    kept = now;
    next.clear();
  }

  /** Keeps an order that was found in a kernel. */
  void adopt(ServicePort port, Pool pool, List<Endpoint> order) {
    List<Endpoint> found = List.copyOf(order);
    kept.put(Key.of(port, pool), new Order(found, found));
    next.clear();
  }

  private void collect(@Nullable NodeService service, Map<Key, Order> orders) {
    if (service == null) {
      return;
    }
    for (ServicePort port : service.ports()) {
      for (Pool pool : Pool.values()) {
        if (!port.endpoints(pool).isEmpty() && !port.balancing().kind().hashes()) {
          orders.put(Key.of(port, pool), order(port, pool));
        }
      }
    }
  }

  /** The order of {@code wanted} that changes fewest numbers of {@code before}. */
  static List<Endpoint> arrange(List<Endpoint> before, List<Endpoint> wanted) {
    return new Order(before, before).next(wanted);
  }
}
