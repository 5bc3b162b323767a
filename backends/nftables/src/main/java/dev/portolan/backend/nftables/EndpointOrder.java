package dev.portolan.backend.nftables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which number each endpoint has, or which numbers where it has several turns. It keeps them while
 * it can: a new one takes a number that became free or the next one, and where one goes the last
 * takes its place. So a change rewrites as few elements as possible.
 *
 * <p>What is kept is the order of the elements in the kernel. To ask for the order of a port as it
 * was gives that very order, to ask for the port as it shall be gives the next one, and neither
 * changes what is kept; that is for {@link #keep}, after the kernel took the change.
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
      later = new Order(turns, arrange(now.numbered, turns));
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

  static List<Endpoint> arrange(List<Endpoint> before, List<Endpoint> wanted) {
    if (before.equals(wanted) || before.isEmpty()) {
      return wanted;
    }
    Map<Endpoint, Integer> missing = new LinkedHashMap<>();
    wanted.forEach(endpoint -> missing.merge(endpoint, 1, Integer::sum));
    List<Endpoint> slots = new ArrayList<>(before);
    Deque<Integer> holes = new ArrayDeque<>();
    for (int i = 0; i < slots.size(); i++) {
      int turns = missing.getOrDefault(slots.get(i), 0);
      if (turns > 0) {
        missing.put(slots.get(i), turns - 1);
      } else {
        holes.add(i);
      }
    }
    List<Endpoint> come = new ArrayList<>();
    missing.forEach((endpoint, turns) -> come.addAll(Collections.nCopies(turns, endpoint)));
    for (Endpoint endpoint : come) {
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
    return List.copyOf(slots);
  }
}
