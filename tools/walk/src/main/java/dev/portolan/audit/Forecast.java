package dev.portolan.audit;

import dev.portolan.audit.ExpectedOutcome.Goal;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Dataplane.Guards;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * What is to become of packets, by what is decided for a node. It says what an explanation says,
 * without the reasons, from the node's image alone, and fast enough for every address of a cluster.
 */
final class Forecast {
  private final NodeFacts facts;
  private final Dataplane dataplane;

  /** For a node that {@code dataplane} works on. */
  Forecast(NodeFacts facts, Dataplane dataplane) {
    this.facts = facts;
    this.dataplane = dataplane;
  }

  /**
   * What a packet to {@code address} meets; {@code destination} is the node's address for a
   * nodePort, and serves it.
   */
  ExpectedOutcome of(AuditClient client, ServicePort port, ServiceAddress address, Ip destination) {
    if (isShutOut(client, port, address)) {
      return ExpectedOutcome.ended(Verdict.DROP);
    }
    Route route = dataplane.route(port, traffic(client, port, address));
    if (route.verdict() != Verdict.FORWARD) {
      return ExpectedOutcome.ended(
          isUnseen(client, address, destination) ? Verdict.NONE : route.verdict());
    }
    boolean connected = isConnected(client, port, address, destination);
    boolean masquerade = masquerades(client, port, route, connected);
    List<Endpoint> endpoints = dataplane.endpoints(port, route.pool());
    ToIntFunction<Endpoint> weight = dataplane.forwardsOnly() ? _ -> 1 : port.balancing()::weight;
    double total = endpoints.stream().mapToInt(weight).sum();
    Map<EndpointKey, Goal> goals = HashMap.newHashMap(endpoints.size());
    for (Endpoint endpoint : endpoints) {
      boolean hairpin =
          !connected
              && !dataplane.forwardsOnly()
              && facts.isLocal(endpoint)
              && client.address().equals(endpoint.address());
      goals.put(
          new EndpointKey(endpoint.address(), endpoint.port()),
          new Goal(
              weight.applyAsInt(endpoint) / total,
              isOnNode(endpoint) ? Optional.empty() : Optional.of(masquerade || hairpin)));
    }
    boolean hashed = port.balancing().kind().hashes() && dataplane.hashesClients();
    return new ExpectedOutcome(Verdict.FORWARD, goals, port.affinitySeconds() > 0, !hashed);
  }

  /**
   * Whether an endpoint has an address of the node itself: its answers pass the node in any case,
   * and packets to it may not pass the rules that masquerade.
   */
  private boolean isOnNode(Endpoint endpoint) {
    return facts.addresses().contains(endpoint.address());
  }

  /**
   * What a packet meets that goes to a nodePort on an address of the node that does not serve
   * nodePorts.
   */
  ExpectedOutcome elsewhere(ServicePort port, Ip destination) {
    Protocol protocol = port.name().protocol();
    if (destination.isLoopback() && isRejectedOnLocalhost(protocol, destination.family())) {
      return ExpectedOutcome.ended(Verdict.REJECT);
    }
    Verdict verdict = port.verdict(Traffic.EXTERNAL);
    return ExpectedOutcome.ended(
        dataplane.endsNodePortsEverywhere() && verdict != Verdict.FORWARD ? verdict : Verdict.NONE);
  }

  /** What a packet meets that goes to a port of a cluster IP that its service does not have. */
  ExpectedOutcome unusedPort() {
    boolean guarded = dataplane.guards() != Guards.NOTHING && !dataplane.forwardsOnly();
    return ExpectedOutcome.ended(guarded ? Verdict.REJECT : Verdict.NONE);
  }

  /** What a packet meets that goes to an unused address of the cluster IPs' range. */
  ExpectedOutcome unassigned() {
    return ExpectedOutcome.ended(
        dataplane.guards() == Guards.CLUSTER_IPS ? Verdict.DROP : Verdict.NONE);
  }

  /** Whether nodePorts are served on an address of the node by rules. */
  boolean servesNodePorts(Ip address) {
    if (!address.isLoopback()) {
      return facts.servesNodePorts(address)
          || (dataplane.forwardsOnly() && facts.addresses().contains(address));
    }
    NodePortAddresses chosen = facts.nodePorts(address.family());
    return dataplane.servesLocalhost()
        && address.family() == IpFamily.IPV4
        && (chosen.all() || chosen.ranges().stream().anyMatch(range -> range.contains(address)));
  }

  private boolean isRejectedOnLocalhost(Protocol protocol, IpFamily family) {
    return dataplane
        .listeners()
        .filter(families -> protocol != Protocol.TCP || !families.contains(family))
        .isPresent();
  }

  private boolean isShutOut(AuditClient client, ServicePort port, ServiceAddress address) {
    List<Cidr> ranges = port.sourceRanges(address);
    if (ranges.isEmpty()
        || dataplane.forwardsOnly()
        || (!dataplane.filtersWithoutEndpoints() && !port.forwards(address))) {
      return false;
    }
    return facts.allowedSources(port, address).stream()
        .noneMatch(range -> range.contains(client.address()));
  }

  private static Traffic traffic(AuditClient client, ServicePort port, ServiceAddress address) {
    if (!address.isExternal()) {
      return Traffic.INTERNAL;
    }
    return port.routes().shortCircuits() && (client.pod() || client.host())
        ? Traffic.SHORT_CIRCUIT
        : Traffic.EXTERNAL;
  }

  /** Whether the rules that end connections without endpoints do not see this one. */
  private boolean isUnseen(AuditClient client, ServiceAddress address, Ip destination) {
    return !dataplane.endsOwnConnections()
        && client.host()
        && address.isExternal()
        && !address.isNodePort()
        && !facts.addresses().contains(destination);
  }

  /** Whether the client's socket is connected to an endpoint, and no packet meets a rule. */
  private boolean isConnected(
      AuditClient client, ServicePort port, ServiceAddress address, Ip destination) {
    return dataplane.connectsSockets()
        && (client.pod() || client.host())
        && (!address.isNodePort() || facts.addresses().contains(destination))
        && Dataplane.suitsSockets(port, address, facts);
  }

  private boolean masquerades(
      AuditClient client, ServicePort port, Route route, boolean connected) {
    if (dataplane.relays() && port.name().protocol() != Protocol.SCTP) {
      return true;
    }
    if (connected || dataplane.forwardsOnly()) {
      return false;
    }
    boolean detects = !(facts.detector(port.family()) instanceof LocalDetector.Undetected);
    return switch (route.masquerade()) {
      case ALL -> true;
      case ALL_BUT_PODS ->
          facts.masqueradeAll()
              || (detects && !client.pod())
              || (dataplane.virtualServers() && !detects && client.host());
      case NODE -> client.host() && !client.pod();
      case NONE -> false;
    };
  }
}
