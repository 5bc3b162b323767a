package dev.portolan.backend.ipvs;

import dev.portolan.backend.ipvs.ServerKey.EndpointKey;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.VirtualService;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What leads from virtual servers as they are to virtual servers as they should be: orders for the
 * kernel, and which real servers are draining from then on.
 */
final class ServerPlan {
  private final Drains drains;
  private final int now;
  private final List<IpvsOrder> orders = new ArrayList<>();
  private final List<IpvsOrder> repairs = new ArrayList<>();

  /**
   * A real server as it is.
   *
   * @param threshold its upper threshold
   * @param busy whether connections lead to it; true where that is not known
   */
  record Known(int weight, int threshold, boolean busy) {
    /** As a sync leaves one of that weight. */
    static Known inUse(int weight) {
      return new Known(weight, 0, true);
    }

    /** As a sync leaves one that is draining until {@code deadline}. */
    static Known draining(int deadline) {
      return new Known(0, deadline, true);
    }
  }

  /**
   * An empty plan.
   *
   * @param now the time in seconds since 1970
   */
  ServerPlan(Drains drains, int now) {
    this.drains = drains;
    this.now = now;
  }

  /** All orders, in order. */
  List<IpvsOrder> orders() {
    return orders;
  }

  /** Those orders that are due to something that is not as wanted, and not to draining. */
  List<IpvsOrder> repairs() {
    return repairs;
  }

  /** A virtual server that nothing wants any more. */
  void remove(ServerKey key) {
    order(IpvsOrder.delete(key.service()));
    drains.remove(key);
  }

  /**
   * A virtual server that should be as {@code wanted} says.
   *
   * @param settings how it is set now; null where there is none
   * @param there the real servers behind it now
   */
  void set(
      VirtualServer wanted, @Nullable ServiceSettings settings, Map<EndpointKey, Known> there) {
    VirtualService service = wanted.key().service();
    if (settings == null) {
      order(IpvsOrder.add(service, wanted.settings()));
    } else if (!isSame(settings, wanted.settings())) {
      order(IpvsOrder.change(service, wanted.settings()));
    }
    Set<EndpointKey> pool = new HashSet<>();
    for (Endpoint endpoint : wanted.pool()) {
      EndpointKey key = new EndpointKey(endpoint.address(), endpoint.port());
      if (pool.add(key)) {
        use(wanted.key(), service, key, wanted.balancing().weight(endpoint), there.get(key));
      }
    }
    there.forEach((key, known) -> {
      if (!pool.contains(key)) {
        end(wanted, service, key, known);
      }
    });
  }

  private void use(
      ServerKey server,
      VirtualService service,
      EndpointKey key,
      int weight,
      @Nullable Known known) {
    RealServer real = real(key, weight, 0);
    if (known == null) {
      order(IpvsOrder.add(service, real));
    } else if (known.weight() != weight || known.threshold() != 0) {
      order(IpvsOrder.change(service, real));
    }
    drains.remove(server, key);
  }

  /** Connections of TCP are let go on; datagrams find another real server at once. */
  private void end(VirtualServer wanted, VirtualService service, EndpointKey key, Known known) {
    boolean begun = known.weight() == 0;
    int deadline = DrainDeadline.NONE;
    if (!wanted.serves(key)) {
      deadline =
          begun && known.threshold() != DrainDeadline.NONE
              ? known.threshold()
              : DrainDeadline.from(now);
    }
    boolean over =
        wanted.key().protocol() != Protocol.TCP
            || !known.busy()
            || DrainDeadline.isOver(deadline, now);
    if (over) {
      order(IpvsOrder.delete(service, real(key, 0, 0)), !begun);
      drains.remove(wanted.key(), key);
      return;
    }
    if (!begun || known.threshold() != deadline) {
      order(IpvsOrder.change(service, real(key, 0, deadline)), !begun);
    }
    drains.put(wanted.key(), key, deadline);
  }

  private void order(IpvsOrder order) {
    order(order, true);
  }

  private void order(IpvsOrder order, boolean repairs) {
    orders.add(order);
    if (repairs) {
      this.repairs.add(order);
    }
  }

  private static RealServer real(EndpointKey key, int weight, int threshold) {
    return new RealServer(
        ServerKey.inet(key.address()), key.port(), weight, RealServer.NAT, threshold, 0);
  }

  /** What only counts with persistence is not compared without. */
  private static boolean isSame(ServiceSettings one, ServiceSettings other) {
    return one.equals(other)
        || (one.scheduler().equals(other.scheduler())
            && one.flags() == other.flags()
            && !one.isPersistent());
  }
}
