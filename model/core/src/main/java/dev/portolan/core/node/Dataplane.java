package dev.portolan.core.node;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the rules that different backends write treat the same packet differently, although the
 * same was decided: mostly packets that no endpoint gets. A backend describes itself with it, so
 * that explanations and audits are true of the node on which it runs. What it does not override is
 * exactly what was decided, and localhost left alone.
 */
public interface Dataplane {
  /** The addresses at which a node reaches itself. */
  List<Ip> LOCALHOST = List.of(Ip.of("127.0.0.1"), Ip.of("::1"));

  /** Does to every packet what was decided for its address, and leaves localhost alone. */
  Dataplane EXACT = () -> "";

  /** What people call it, such as {@code nftables}. */
  String name();

  /**
   * Whether there are no rules but those that forward. A packet that no endpoint gets is routed
   * like any other, whatever was decided; source ranges and weights are not looked at, nothing is
   * masqueraded, and how long a client keeps its endpoint is not known.
   */
  default boolean forwardsOnly() {
    return false;
  }

  /** Whether an address treats all its clients alike, pods and the node itself included. */
  default boolean hasOneListForAll() {
    return false;
  }

  /** What becomes of {@code traffic} to {@code port}. */
  default Route route(ServicePort port, Traffic traffic) {
    return port.route(traffic);
  }

  /** Of the endpoints in {@code pool}, those that get connections. */
  default List<Endpoint> endpoints(ServicePort port, Pool pool) {
    return port.endpoints(pool);
  }

  /** Whether the source ranges of {@code address} are looked at. */
  default boolean filters(ServicePort port, ServiceAddress address) {
    return !forwardsOnly();
  }

  /**
   * Whether connections from the node itself to external addresses without endpoints end like those
   * of other clients; otherwise no rule matches them, unless the address is the node's own.
   */
  default boolean endsOwnConnections() {
    return true;
  }

  /** How a connection to the nodePort of {@code port} ends where nodePorts are not served. */
  default Verdict elsewhere(ServicePort port) {
    return Verdict.NONE;
  }

  /** Whether rules serve nodePorts on loopback addresses, if these are chosen for nodePorts. */
  default boolean servesLocalhost() {
    return false;
  }

  /** Whether rules serve nodePorts at {@code address}. */
  default boolean servesNodePorts(NodeFacts facts, Ip address) {
    return facts.servesNodePorts(address);
  }

  /** How a connection ends to a port of a cluster IP that its service does not have. */
  default Verdict unusedPort() {
    return forwardsOnly() ? Verdict.NONE : Verdict.REJECT;
  }

  /** How a connection ends to a cluster IP that no service has. */
  default Verdict unassigned() {
    return forwardsOnly() ? Verdict.NONE : Verdict.DROP;
  }

  /**
   * Whether the node itself has the addresses of services: it may connect from there, and other
   * ports of theirs are rejected.
   */
  default boolean carriesAddresses() {
    return false;
  }

  /**
   * Whether a client's address and port can decide on its endpoint; otherwise one is drawn at
   * random whatever {@link Balancing} says.
   */
  default boolean hashesClients() {
    return true;
  }

  /**
   * Whether sockets of the node and its pods that connect to {@code address} are connected to an
   * endpoint, so that no packet of theirs meets a rule.
   */
  default boolean connectsSockets(ServicePort port, ServiceAddress address, NodeFacts facts) {
    return false;
  }

  /**
   * Whether a process of the node stands between clients and endpoints, so that these see an
   * address of the node whatever was decided.
   */
  default boolean relays(Protocol protocol) {
    return false;
  }

  /**
   * Where it is not the rules that serve localhost: the families whose TCP nodePorts a process of
   * the node answers for, on 127.0.0.1 and ::1; all other nodePorts are rejected on loopback
   * addresses. Empty where nothing is done about localhost beside the rules.
   */
  default Optional<Set<IpFamily>> listeners() {
    return Optional.empty();
  }

  /** Whether a process of the node answers for the nodePorts at a loopback address. */
  default boolean listensOn(Ip address, Protocol protocol) {
    return protocol == Protocol.TCP
        && LOCALHOST.contains(address)
        && listeners().filter(families -> families.contains(address.family())).isPresent();
  }

  /**
   * What of a port's balancing cannot be done here, and what is done instead; empty for nothing.
   */
  default Optional<String> shortfall(ServicePort port) {
    return hashesClients() || !port.balancing().kind().hashes()
        ? Optional.empty()
        : Optional.of(
            "mode "
                + name()
                + " cannot do balancing "
                + port.balancing().kind()
                + ", and draws endpoints at random");
  }
}
