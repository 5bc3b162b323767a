package dev.portolan.backend.nftables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which number each endpoint has. An endpoint keeps its number while it can: a new one takes a
 * number that became free or the next one, and where one goes the last takes its place. So a change
 * rewrites as few elements as possible.
 */
final class EndpointOrder {
  private final Map<Key, List<Endpoint>> orders = new HashMap<>();

  private record Key(ServicePortName name, IpFamily family, Pool pool) {}

  /** The order of a port's endpoints, kept close to the one before. */
  List<Endpoint> arrange(ServicePort port, Pool pool) {
    Key key = new Key(port.name(), port.family(), pool);
    List<Endpoint> arranged = arrange(orders.getOrDefault(key, List.of()), port.endpoints(pool));
    if (arranged.isEmpty()) {
      orders.remove(key);
    } else {
      orders.put(key, arranged);
    }
    return arranged;
  }

  /** Takes an order that was found, such as in a kernel. */
  void adopt(ServicePort port, Pool pool, List<Endpoint> order) {
    orders.put(new Key(port.name(), port.family(), pool), List.copyOf(order));
  }

  /** Forgets a port's endpoints. */
  void forget(ServicePort port) {
    for (Pool pool : Pool.values()) {
      orders.remove(new Key(port.name(), port.family(), pool));
    }
  }

  static List<Endpoint> arrange(List<Endpoint> before, List<Endpoint> wanted) {
    if (before.equals(wanted) || before.isEmpty()) {
      return wanted;
    }
    Set<Endpoint> missing = new LinkedHashSet<>(wanted);
    List<Endpoint> slots = new ArrayList<>(before);
    Set<Endpoint> stay = new HashSet<>(wanted);
    List<Integer> holes = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      if (stay.contains(slots.get(i))) {
        missing.remove(slots.get(i));
      } else {
        holes.add(i);
      }
    }
    for (Endpoint endpoint : missing) {
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
