package dev.portolan.migration;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.text.Counted;
import dev.portolan.core.text.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A virtual server of IPVS as a node has it.
 *
 * @param name as ipvsadm writes it, with the protocol in front
 * @param place where clients find it; empty where a mark on packets tells
 * @param affinitySeconds how long a client is remembered; 0 where it is not
 * @param services the services of the cluster that have this address, where it is known
 */
@Tree.Fields("name services owner scheduler affinitySeconds connections endpoints changes")
public record LiveServer(
    @Tree.Named("server") String name,
    Optional<Place> place,
    Owner owner,
    String scheduler,
    int affinitySeconds,
    List<Real> endpoints,
    List<NamespacedName> services) {
  /** Schedulers that choose by a hash of an address. */
  static final Set<String> HASHING = Set.of("sh", "mh", "dh", "lblc", "lblcr");

  /** kube-proxy's default, and similar ones. */
  private static final Set<String> IN_TURN = Set.of("rr", "wrr");

  /** What a proxy sets, and what the kernel makes of it where the endpoint is the node itself. */
  private static final Set<String> OF_PROXY = Set.of("masquerade", "local");

  public LiveServer {
    endpoints = List.copyOf(endpoints);
    services = List.copyOf(services);
  }

  /** The same with the services that have its address. */
  LiveServer of(List<NamespacedName> known) {
    return new LiveServer(name, place, owner, scheduler, affinitySeconds, endpoints, known);
  }

  /** Whose it is. */
  public enum Owner {
    /** The proxy's on this node. */
    PROXY,
    /** In a range of {@code ipvs.excludeCIDRs}. */
    EXCLUDED,
    /** Some other program's. */
    OTHER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where clients find a virtual server. */
  public record Place(Protocol protocol, Ip address, int port) {}

  /**
   * A real server.
   *
   * @param method how packets get there: masquerade, tunnel, route, local or bypass
   * @param active connections that are open
   * @param inactive connections that begin or end
   * @param clients how many are remembered for affinity
   */
  public record Real(
      @Tree.Named("endpoint") String name,
      int weight,
      @Tree.Named("forwarding") String method,
      int active,
      int inactive,
      int clients) {}

  boolean isOfProxy() {
    return owner == Owner.PROXY;
  }

  boolean schedulesByHash() {
    return HASHING.contains(scheduler);
  }

  /** All connections, open or not. */
  int connections() {
    return endpoints.stream().mapToInt(one -> one.active + one.inactive).sum();
  }

  /** Those that get no new connections. */
  long ending() {
    return endpoints.stream().filter(one -> one.weight == 0).count();
  }

  /** Those with a weight that no proxy sets. */
  long weighted() {
    return endpoints.stream().filter(one -> one.weight > 1).count();
  }

  /** Those whose packets do not get there by masquerading. */
  long otherwise() {
    return endpoints.stream().filter(one -> !OF_PROXY.contains(one.method)).count();
  }

  /** What a move off IPVS changes for it, a few words each; that choice is random is not said. */
  List<String> changes() {
    switch (owner) {
      case EXCLUDED -> {
        return List.of("stays: in excludeCIDRs");
      }
      case OTHER -> {
        return List.of("stays: another program's");
      }
      case PROXY -> {}
    }
    List<String> changes = new ArrayList<>();
    int connections = connections();
    if (connections > 0) {
      boolean drains = place.filter(it -> it.protocol == Protocol.TCP).isPresent();
      changes.add(
          Counted.of(connections, drains ? "connection" : "flow")
              + (drains ? (connections == 1 ? " drains" : " drain") : " may change endpoint"));
    }
    if (schedulesByHash()) {
      changes.add("clients no longer return to the same endpoint");
    } else if (!IN_TURN.contains(scheduler)) {
      changes.add("random choice instead of " + scheduler);
    }
    if (affinitySeconds > 0) {
      changes.add("affinity starts again");
    }
    if (weighted() > 0) {
      changes.add("equal chances instead of weights");
    }
    if (otherwise() > 0) {
      changes.add("masquerade or plain routing instead of tunnel or direct route");
    }
    if (ending() > 0) {
      changes.add(ending() + (ending() == 1 ? " endpoint is ending" : " endpoints are ending"));
    }
    return changes;
  }
}
