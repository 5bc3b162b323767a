package dev.portolan.core.node;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where the rules that different backends write treat the same packet differently, although the
 * same was decided: mostly packets that no endpoint gets. A backend describes itself with it, so
 * that an explanation is true of the node on which it runs.
 *
 * @param name what people call it, such as {@code nftables}
 * @param guards what becomes of packets to ports and addresses that no service has
 * @param filtersWithoutEndpoints whether the source ranges of a service apply while it has no
 *     endpoints
 * @param endsOwnConnections whether connections from the node itself to external addresses without
 *     endpoints end like those of other clients; otherwise no rule matches them, unless the address
 *     is the node's own
 * @param endsNodePortsEverywhere whether connections to a nodePort without endpoints end on every
 *     address of the node; otherwise only on those that serve nodePorts
 * @param servesLocalhost whether nodePorts are served on IPv4 loopback addresses, if these are
 *     among the nodePort addresses
 * @param virtualServers whether services are virtual servers with addresses of the node: each has
 *     one list of endpoints for all its clients, those of the node where the policy is Local and it
 *     has some, otherwise those of all nodes
 * @param hashesClients whether a client's address and port can decide on its endpoint; otherwise
 *     one is drawn at random whatever {@link Balancing} says
 * @param connectsSockets whether sockets of the node and its pods are connected to an endpoint
 *     where they can be ({@link #suitsSockets}), so that no packet of theirs meets a rule
 * @param relays whether a process of the node stands between clients and endpoints of TCP and UDP,
 *     so that these see an address of the node whatever was decided
 * @param listeners where it is not the rules that serve localhost: the families whose TCP nodePorts
 *     a process of the node answers for, on 127.0.0.1 and ::1; all other nodePorts are rejected on
 *     loopback addresses. Empty where nothing is done about localhost beside the rules
 */
public record Dataplane(
    String name,
    Guards guards,
    boolean filtersWithoutEndpoints,
    boolean endsOwnConnections,
    boolean endsNodePortsEverywhere,
    boolean servesLocalhost,
    boolean virtualServers,
    boolean hashesClients,
    boolean connectsSockets,
    boolean relays,
    Optional<Set<IpFamily>> listeners) {
  /** The addresses at which a node reaches itself. */
  public static final List<Ip> LOCALHOST = List.of(Ip.of("127.0.0.1"), Ip.of("::1"));

  /** Does to every packet what was decided for its address, and leaves localhost alone. */
  public static final Dataplane EXACT =
      new Dataplane(
          "",
          Guards.CLUSTER_IPS,
          true,
          true,
          false,
          false,
          false,
          true,
          false,
          false,
          Optional.empty());

  /** What a dataplane does about the addresses of services that are not served. */
  public enum Guards {
    /** No rule matches such a packet: it is routed like any other. */
    NOTHING,
    /**
     * There are no rules but those that forward. A packet that no endpoint gets is routed like any
     * other, whatever was decided, and the client does not matter. An address has one list of
     * endpoints for all its clients, and one port for all its endpoints.
     */
    FORWARDS_ONLY,
    /** Unused ports of cluster IPs are rejected, and unassigned cluster IPs dropped. */
    CLUSTER_IPS,
    /** Unused ports are rejected on every address of a service; unassigned ones are routed. */
    ASSIGNED_IPS
  }

  public Dataplane {
    listeners = listeners.map(Set::copyOf);
  }

  /** The same under a name. */
  public Dataplane named(String other) {
    return with(other, connectsSockets, relays, listeners);
  }

  /** The same where sockets are connected to endpoints. */
  public Dataplane connectingSockets() {
    return with(name, true, relays, listeners);
  }

  /** The same where a process stands between clients and endpoints. */
  public Dataplane relaying() {
    return with(name, connectsSockets, true, listeners);
  }

  /**
   * Whether a socket that connects can do what was decided for {@code address} by itself. It cannot
   * masquerade, its address cannot be checked, it has no port yet to be hashed, and it is not known
   * whether it is a pod's.
   */
  public static boolean suitsSockets(ServicePort port, ServiceAddress address, NodeFacts facts) {
    Route route = port.route(address.isExternal() ? Traffic.SHORT_CIRCUIT : Traffic.INTERNAL);
    boolean hashed =
        route.verdict() == Verdict.FORWARD
            && port.balancing().kind().hashes()
            && port.affinitySeconds() == 0;
    // The rules then treat pods as clients outside, and the node itself not: a socket is either.
    boolean ambiguous =
        address.isExternal()
            && port.routes().shortCircuits()
            && facts.detector(port.family()) instanceof LocalDetector.Undetected;
    return !facts.masqueradeAll()
        && port.name().protocol() != Protocol.SCTP
        && port.sourceRanges(address).isEmpty()
        && !ambiguous
        && !hashed;
  }

  /** The same where a process listens on the loopback addresses of these families. */
  public Dataplane listening(Set<IpFamily> families) {
    return with(name, connectsSockets, relays, Optional.of(families));
  }

  private Dataplane with(
      String called, boolean connects, boolean stands, Optional<Set<IpFamily>> onLocalhost) {
    return new Dataplane(
        called,
        guards,
        filtersWithoutEndpoints,
        endsOwnConnections,
        endsNodePortsEverywhere,
        servesLocalhost,
        virtualServers,
        hashesClients,
        connects,
        stands,
        onLocalhost);
  }

  /** Whether there are no rules but those that forward: {@link Guards#FORWARDS_ONLY}. */
  public boolean forwardsOnly() {
    return guards == Guards.FORWARDS_ONLY;
  }

  /** Whether source ranges keep clients from {@code address}. */
  public boolean filters(ServicePort port, ServiceAddress address) {
    return !forwardsOnly() && (filtersWithoutEndpoints || port.forwards(address));
  }

  /** How a nodePort ends on addresses of the node that do not serve it. */
  public Verdict elsewhere(ServicePort port) {
    Verdict verdict = port.verdict(Traffic.EXTERNAL);
    return endsNodePortsEverywhere && verdict != Verdict.FORWARD ? verdict : Verdict.NONE;
  }

  /** Whether rules serve nodePorts at {@code address}, be it a loopback address. */
  public boolean servesNodePorts(NodeFacts facts, Ip address) {
    if (!address.isLoopback()) {
      return facts.servesNodePorts(address)
          || (forwardsOnly() && facts.addresses().contains(address));
    }
    NodePortAddresses chosen = facts.nodePorts(address.family());
    return servesLocalhost
        && address.family() == IpFamily.IPV4
        && (chosen.all() || chosen.ranges().stream().anyMatch(range -> range.contains(address)));
  }

  /** How a connection ends to a port of a cluster IP that its service does not have. */
  public Verdict unusedPort() {
    return guards == Guards.NOTHING || forwardsOnly() ? Verdict.NONE : Verdict.REJECT;
  }

  /** How a connection ends to a cluster IP that no service has. */
  public Verdict unassigned() {
    return guards == Guards.CLUSTER_IPS ? Verdict.DROP : Verdict.NONE;
  }

  /** Whether the node itself has the addresses of services, and ends what goes to other ports. */
  public boolean carriesAddresses() {
    return virtualServers;
  }

  /** Whether sockets of the node and its pods are connected to an endpoint of {@code port}. */
  public boolean connectsSockets(ServicePort port, ServiceAddress address, NodeFacts facts) {
    return connectsSockets && suitsSockets(port, address, facts);
  }

  /** Whether a process of the node stands between clients and endpoints. */
  public boolean relays(Protocol protocol) {
    return relays && protocol != Protocol.SCTP;
  }

  /** Whether an address treats all its clients alike, pods and the node itself included. */
  public boolean hasOneListForAll() {
    return virtualServers || forwardsOnly();
  }

  /** What becomes here of {@code traffic} to {@code port}. */
  public Route route(ServicePort port, Traffic traffic) {
    if (!hasOneListForAll()) {
      return port.route(traffic);
    }
    Route decided = port.route(traffic == Traffic.INTERNAL ? traffic : Traffic.EXTERNAL);
    if (forwardsOnly()) {
      return decided.verdict() == Verdict.FORWARD
          ? decided
          : new Route(Verdict.NONE, decided.pool(), decided.masquerade());
    }
    if (decided.verdict() != Verdict.DROP) {
      return decided;
    }
    return port.cluster().isEmpty()
        ? new Route(Verdict.REJECT, decided.pool(), decided.masquerade())
        : new Route(Verdict.FORWARD, Pool.CLUSTER, decided.masquerade());
  }

  /** Of the endpoints in {@code pool}, those that get connections here. */
  public List<Endpoint> endpoints(ServicePort port, Pool pool) {
    List<Endpoint> all = port.endpoints(pool);
    return forwardsOnly() ? withOnePort(all) : all;
  }

  /**
   * The endpoints with the port that most of {@code pool} have, for what can only send to one port;
   * of several such ports the smallest.
   */
  public static List<Endpoint> withOnePort(List<Endpoint> pool) {
    Map<Integer, List<Endpoint>> byPort =
        pool.stream()
            .collect(Collectors.groupingBy(Endpoint::port, TreeMap::new, Collectors.toList()));
    List<Endpoint> most = List.of();
    for (List<Endpoint> some : byPort.values()) {
      most = some.size() > most.size() ? some : most;
    }
    return most;
  }

  /**
   * What of a port's balancing cannot be done here, and what is done instead; empty for nothing.
   */
  public Optional<String> shortfall(ServicePort port) {
    return hashesClients || !port.balancing().kind().hashes()
        ? Optional.empty()
        : Optional.of(
            "mode "
                + name
                + " cannot do balancing "
                + port.balancing().kind()
                + ", and draws endpoints at random");
  }

  /** Whether a process of the node answers for the nodePorts at a loopback address. */
  public boolean listensOn(Ip address, Protocol protocol) {
    return protocol == Protocol.TCP
        && LOCALHOST.contains(address)
        && listeners.map(families -> families.contains(address.family())).orElse(false);
  }
}
