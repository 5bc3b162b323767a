package dev.portolan.backend.nftables;

import dev.portolan.backend.nftables.PickChains.Door;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import dev.portolan.netlink.nftables.NftVerdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one service port wants of the table.
 *
 * <p>A plain service wants elements only. Its address and port lead, through {@code service-ips},
 * to a chain that it shares with other services and that picks an endpoint by number ({@link
 * PickChains}). A nodePort goes the same way without an address. External addresses under the Local
 * policy pass a chain that lets pods and the node itself take the endpoints of all nodes. Only
 * session affinity needs chains of the service's own ({@link AffinityRules}).
 */
final class ServiceRules {
  private final TableState table;
  private final NodeFacts facts;
  private final int mark;
  private final ServicePort port;
  private final Frontend frontend;
  private final PickChains chains;
  private final Protocol protocol;
  private final List<Endpoint> cluster;
  private final List<Endpoint> local;
  private final String comment;

  private ServiceRules(
      TableState table, NodeFacts facts, int mark, ServicePort port, EndpointOrder order) {
    this.table = table;
    this.facts = facts;
    this.mark = mark;
    this.port = port;
    this.frontend = port.frontend();
    this.protocol = port.name().protocol();
    this.chains = new PickChains(table, facts, mark, protocol);
    this.cluster = order.arrange(port, false);
    this.local = order.arrange(port, true);
    this.comment = Names.comment(port.name());
  }

  /**
   * Adds to {@code table} what {@code port} wants; {@code order} gives each endpoint its number.
   */
  static void lay(
      TableState table, NodeFacts facts, int mark, ServicePort port, EndpointOrder order) {
    new ServiceRules(table, facts, mark, port, order).lay();
  }

  private void lay() {
    boolean externallyForwarded = port.selection().shortCircuit() == Verdict.FORWARD;
    table.add(Layout.CLUSTER_IPS, new Entry.OfAddress(frontend.clusterIp()));
    if (frontend.affinitySeconds() > 0) {
      AffinityRules.lay(table, facts, mark, port);
    }
    internal();
    for (Ip address : externalAddresses()) {
      if (externallyForwarded) {
        goTo(address, external(Door.ADDRESS));
        endpoints(address, true, frontend.hasLocalExternalPolicy());
      }
      unanswered(address, port.selection().external());
    }
    if (frontend.nodePort() != 0) {
      if (externallyForwarded) {
        table.add(
            Layout.NODEPORTS,
            new Entry.OfNodePort(protocol, frontend.nodePort(), external(Door.NODE_PORT), comment));
        nodePortEndpoints();
      }
      verdict(port.selection().external())
          .ifPresent(verdict ->
              table.add(
                  Layout.NO_ENDPOINTS_NODEPORTS,
                  new Entry.OfNodePort(protocol, frontend.nodePort(), verdict, comment)));
    }
    guard();
    hairpin();
  }

  private void internal() {
    if (port.selection().internal() == Verdict.FORWARD) {
      boolean onlyLocal = frontend.internalPolicy() == TrafficPolicy.LOCAL;
      String chain =
          frontend.affinitySeconds() > 0
              ? AffinityRules.chain(port, onlyLocal)
              : onlyLocal
                  ? chains.pick(Door.ADDRESS, true, local.size())
                  : chains.pick(Door.ADDRESS, false, cluster.size());
      goTo(frontend.clusterIp(), NftVerdict.goTo(chain));
      endpoints(frontend.clusterIp(), !onlyLocal, onlyLocal);
    }
    unanswered(frontend.clusterIp(), port.selection().internal());
  }

  private NftVerdict external(Door door) {
    if (frontend.affinitySeconds() > 0) {
      return NftVerdict.goTo(AffinityRules.externalChain(port));
    }
    return NftVerdict.goTo(
        frontend.hasLocalExternalPolicy()
            ? chains.externalLocal(door, cluster.size(), local.size())
            : chains.external(door, cluster.size()));
  }

  private void endpoints(Ip address, boolean everywhere, boolean here) {
    if (frontend.affinitySeconds() > 0) {
      return;
    }
    if (everywhere) {
      endpoints(address, chains.map(Door.ADDRESS, false), cluster);
    }
    if (here) {
      endpoints(address, chains.map(Door.ADDRESS, true), local);
    }
  }

  private void endpoints(Ip address, String map, List<Endpoint> endpoints) {
    for (int i = 0; i < endpoints.size(); i++) {
      table.add(map, new Entry.OfEndpoint(address, frontend.port(), i, endpoints.get(i)));
    }
  }

  private void nodePortEndpoints() {
    if (frontend.affinitySeconds() > 0) {
      return;
    }
    nodePortEndpoints(chains.map(Door.NODE_PORT, false), cluster);
    if (frontend.hasLocalExternalPolicy()) {
      nodePortEndpoints(chains.map(Door.NODE_PORT, true), local);
    }
  }

  private void nodePortEndpoints(String map, List<Endpoint> endpoints) {
    for (int i = 0; i < endpoints.size(); i++) {
      table.add(map, new Entry.OfNodePortEndpoint(frontend.nodePort(), i, endpoints.get(i)));
    }
  }

  private void guard() {
    List<Cidr> allowed = facts.allowedSources(frontend);
    if (allowed.isEmpty()) {
      return;
    }
    for (Ip address : frontend.loadBalancerIps()) {
      table.add(Layout.GUARDED, new Entry.OfGuarded(address, protocol, frontend.port(), comment));
      for (Cidr source : Ranges.disjoint(allowed)) {
        table.add(
            Layout.ALLOWED_SOURCES, new Entry.OfSource(address, protocol, frontend.port(), source));
      }
    }
  }

  private void hairpin() {
    Set<Endpoint> reachable = new LinkedHashSet<>(cluster);
    reachable.addAll(local);
    for (Endpoint endpoint : reachable) {
      if (facts.isLocal(endpoint)) {
        table.add(
            Layout.HAIRPIN, new Entry.OfHairpin(endpoint.address(), protocol, endpoint.port()));
      }
    }
  }

  private void goTo(Ip address, NftVerdict verdict) {
    table.add(
        Layout.SERVICE_IPS,
        new Entry.OfService(address, protocol, frontend.port(), verdict, comment));
  }

  private void unanswered(Ip address, Verdict decided) {
    verdict(decided)
        .ifPresent(verdict ->
            table.add(
                Layout.NO_ENDPOINTS,
                new Entry.OfService(address, protocol, frontend.port(), verdict, comment)));
  }

  private static Optional<NftVerdict> verdict(Verdict decided) {
    return switch (decided) {
      case REJECT -> Optional.of(NftVerdict.goTo(Layout.REJECTING));
      case DROP -> Optional.of(NftVerdict.DROP);
      case FORWARD, NONE -> Optional.empty();
    };
  }

  private List<Ip> externalAddresses() {
    List<Ip> addresses = new ArrayList<>(frontend.loadBalancerIps());
    addresses.addAll(frontend.externalIps());
    return addresses;
  }
}
