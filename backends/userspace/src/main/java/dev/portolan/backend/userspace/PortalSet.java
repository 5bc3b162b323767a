package dev.portolan.backend.userspace;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The portals that are open. Only the thread that syncs uses it; any may read counts. */
final class PortalSet implements AutoCloseable {
  private final Sockets sockets;
  private final TcpConnections connections;
  private final UdpTraffic udp;
  private final Duration drain;
  private final Map<NamespacedName, Map<PortalId, Portal>> open = new HashMap<>();
  private final Map<TurnsId, EndpointTurns> turns = new HashMap<>();
  private final Map<TurnsId, PassedTraffic> passed = new ConcurrentHashMap<>();

  /** What a client that stays, stays with: not only at one address of the service. */
  private record TurnsId(ServicePortName name, IpFamily family) {}

  PortalSet(UserspaceOptions options) {
    this.sockets = new Sockets(options.namespace());
    this.connections = new TcpConnections(sockets, options);
    this.udp = new UdpTraffic(sockets, options);
    this.drain = options.drain();
  }

  /** The address of a portal that is open. */
  Optional<InetSocketAddress> address(PortalId id) {
    Map<PortalId, Portal> ofService = open.getOrDefault(id.name().service(), Map.of());
    return Optional.ofNullable(ofService.get(id)).map(Portal::address);
  }

  /**
   * Serves {@code port} at a portal, which is opened at the first of {@code places} that can be had
   * unless it is open already.
   *
   * @throws BackendException where none can
   */
  InetSocketAddress serve(
      PortalId id, ServicePort port, NodeFacts facts, List<InetSocketAddress> places) {
    TurnsId ofPort = new TurnsId(id.name(), id.family());
    EndpointTurns whose = turns.computeIfAbsent(ofPort, _ -> new EndpointTurns(port));
    whose.update(port);
    PassedTraffic counted = passed.computeIfAbsent(ofPort, _ -> new PassedTraffic());
    PortalTarget target = new PortalTarget(id.clients(), port, facts, whose, counted);
    Map<PortalId, Portal> ofService =
        open.computeIfAbsent(id.name().service(), _ -> new HashMap<>());
    Portal there = ofService.get(id);
    if (there != null && isAmong(there.address(), places)) {
      there.serve(target);
      return there.address();
    }
    Portal opened = open(id, target, places);
    ofService.put(id, opened);
    if (there != null) {
      there.close();
    }
    return opened.address();
  }

  /** A place with port 0 stands for any port of its address. */
  private static boolean isAmong(InetSocketAddress address, List<InetSocketAddress> places) {
    return places.stream()
        .anyMatch(place ->
            place.getAddress().equals(address.getAddress())
                && (place.getPort() == 0 || place.getPort() == address.getPort()));
  }

  private Portal open(PortalId id, PortalTarget target, List<InetSocketAddress> places) {
    IOException failure = new IOException("no address");
    for (InetSocketAddress place : places) {
      try {
        return switch (id.protocol()) {
          case TCP -> TcpPortal.open(place, target, connections, sockets);
          case UDP -> UdpPortal.open(place, target, udp, sockets);
          case SCTP -> throw new IOException("SCTP is not proxied");
        };
      } catch (IOException e) {
        failure = e;
      }
    }
    throw new BackendException(
        ErrorCode.LISTEN,
        "userspace: cannot listen for "
            + id.name()
            + " on "
            + places.getLast().getAddress().getHostAddress()
            + ": "
            + failure.getMessage()
            + "; portals need an address of the node that this machine has",
        failure);
  }

  /** Closes the portals of {@code service} that are not {@code wanted}. */
  void keep(NamespacedName service, Set<PortalId> wanted) {
    Map<PortalId, Portal> ofService = open.get(service);
    if (ofService == null) {
      return;
    }
    Set<PortalId> gone = new HashSet<>(ofService.keySet());
    gone.removeAll(wanted);
    gone.forEach(id -> Objects.requireNonNull(ofService.remove(id)).close());
    for (PortalId id : gone) {
      if (ofService.keySet().stream()
          .noneMatch(other -> other.name().equals(id.name()) && other.family() == id.family())) {
        TurnsId ofPort = new TurnsId(id.name(), id.family());
        turns.remove(ofPort);
        passed.remove(ofPort);
      }
    }
    if (ofService.isEmpty()) {
      open.remove(service);
    }
  }

  /** The services that have portals. */
  Set<NamespacedName> services() {
    return Set.copyOf(open.keySet());
  }

  /** How many portals are open. */
  int size() {
    return open.values().stream().mapToInt(Map::size).sum();
  }

  /** How many connections of TCP are open. */
  int connections() {
    return connections.count();
  }

  /** What has passed through the portals; any thread may ask. */
  List<TrafficCount> traffic() {
    List<TrafficCount> counts = new ArrayList<>();
    passed.forEach(
        (port, traffic) -> counts.addAll(traffic.counts(port.name, port.family.toString())));
    return counts;
  }

  /** Closes all portals; connections go on. */
  void closePortals() {
    open.values().forEach(ofService -> ofService.values().forEach(Portal::close));
    open.clear();
    turns.clear();
    passed.clear();
  }

  /** Takes no new connections of TCP. */
  void refuse() {
    open.values()
        .forEach(ofService ->
            ofService.values().stream().filter(TcpPortal.class::isInstance).forEach(Portal::close));
  }

  /** Closes all portals, lets connections go on for some time, and ends the rest. */
  @Override
  public void close() {
    refuse();
    connections.drain(drain);
    udp.close();
    sockets.close();
  }
}
