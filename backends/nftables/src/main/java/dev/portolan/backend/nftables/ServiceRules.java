package dev.portolan.backend.nftables;

import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.MaglevTable;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.table.Entry;
import dev.portolan.nftables.table.Hairpins;
import dev.portolan.nftables.table.Names;
import dev.portolan.nftables.table.SourceRanges;
import dev.portolan.nftables.table.TableState;
import java.util.EnumSet;
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
  private final ServiceMaps maps;
  private final ServicePort port;
  private final PickChains chains;
  private final Protocol protocol;
  private final List<Endpoint> cluster;
  private final List<Endpoint> local;
  private final String comment;

  private ServiceRules(
      TableState table,
      NodeFacts facts,
      NftablesOptions options,
      ServicePort port,
      EndpointOrder order) {
    this.table = table;
    this.facts = facts;
    this.mark = options.mark();
    this.maps = options.maps();
    this.port = port;
    this.protocol = port.name().protocol();
    this.chains = new PickChains(table, facts, mark, protocol, Draw.of(port.balancing().kind()));
    this.cluster = numbered(order, Pool.CLUSTER);
    this.local = numbered(order, Pool.LOCAL);
    this.comment = Names.comment(port.name());
  }

  /**
   * Adds to {@code table} what {@code port} wants; {@code order} gives each endpoint its number.
   */
  static void lay(
      TableState table,
      NodeFacts facts,
      NftablesOptions options,
      ServicePort port,
      EndpointOrder order) {
    new ServiceRules(table, facts, options, port, order).lay();
  }

  private void lay() {
    table.add(Layout.CLUSTER_IPS, new Entry.OfAddress(port.clusterIp().address()));
    if (hasAffinity()) {
      AffinityRules.lay(table, facts, mark, port);
    }
    for (ServiceAddress address : port.addresses()) {
      if (port.forwards(address)) {
        add(address, maps.serviceIps(), maps.nodePorts(), NftVerdict.goTo(chain(address)));
        endpoints(address);
      }
      refused(address);
      if (!port.sourceRanges(address).isEmpty()) {
        table.want(SourceRanges.CHAIN, Layout::guards);
        SourceRanges.lay(table, facts, port, address);
      }
    }
    Hairpins.lay(table, facts, port);
  }

  private boolean hasAffinity() {
    return port.affinitySeconds() > 0;
  }

  /** The chain that packets to {@code address} go to. */
  private String chain(ServiceAddress address) {
    if (address.isExternal()) {
      if (hasAffinity()) {
        return AffinityRules.externalChain(port);
      }
      return port.routes().shortCircuits()
          ? chains.externalLocal(address, cluster.size(), local.size())
          : chains.external(address, cluster.size());
    }
    Pool pool = port.route(Traffic.INTERNAL).pool();
    return hasAffinity()
        ? AffinityRules.chain(port, pool)
        : chains.pick(address, pool, endpoints(pool).size());
  }

  /** The endpoints that the chains find for {@code address}; those for affinity name their own. */
  private void endpoints(ServiceAddress address) {
    if (hasAffinity()) {
      return;
    }
    Set<Pool> pools =
        address.isExternal()
            ? EnumSet.of(
                port.route(Traffic.SHORT_CIRCUIT).pool(), port.route(Traffic.EXTERNAL).pool())
            : EnumSet.of(port.route(Traffic.INTERNAL).pool());
    for (Pool pool : pools) {
      String map = chains.map(address, pool);
      List<Endpoint> endpoints = endpoints(pool);
      for (int i = 0; i < endpoints.size(); i++) {
        table.add(
            map,
            address.isNodePort()
                ? new EndpointEntry.OfNodePort(address.port(), i, endpoints.get(i))
                : new EndpointEntry.OfAddress(
                    address.address(), address.port(), i, endpoints.get(i)));
      }
    }
  }

  /** Where clients decide, an endpoint has the numbers of its slots; otherwise one per turn. */
  private List<Endpoint> numbered(EndpointOrder order, Pool pool) {
    return port.balancing().kind().hashes() && !hasAffinity()
        ? MaglevTable.of(port.endpoints(pool), port.balancing())
        : order.of(port, pool);
  }

  /** The endpoints of a pool, each at its number. */
  private List<Endpoint> endpoints(Pool pool) {
    return switch (pool) {
      case CLUSTER -> cluster;
      case LOCAL -> local;
    };
  }

  private void refused(ServiceAddress address) {
    verdict(port.verdict(address.traffic()))
        .ifPresent(
            verdict -> add(address, maps.noEndpoints(), maps.noEndpointsNodePorts(), verdict));
  }

  private static Optional<NftVerdict> verdict(Verdict decided) {
    return switch (decided) {
      case REJECT -> Optional.of(NftVerdict.goTo(Layout.REJECTING));
      case DROP -> Optional.of(NftVerdict.DROP);
      case FORWARD, NONE -> Optional.empty();
    };
  }

  /** Adds {@code address} to one of two maps: of addresses, or of nodePorts. */
  private void add(ServiceAddress address, String addresses, String nodePorts, NftVerdict verdict) {
    if (address.isNodePort()) {
      table.add(nodePorts, new Entry.OfNodePort(protocol, address.port(), verdict, comment));
    } else {
      table.add(
          addresses,
          new Entry.OfService(address.address(), protocol, address.port(), verdict, comment));
    }
  }
}
