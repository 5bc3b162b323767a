package dev.portolan.backend.nftables;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Masquerade;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.table.Chain;
import dev.portolan.nftables.table.Names;
import dev.portolan.nftables.table.PacketField;
import dev.portolan.nftables.table.Rule;
import dev.portolan.nftables.table.SetType;
import dev.portolan.nftables.table.Statement.Go;
import dev.portolan.nftables.table.Statement.InSet;
import dev.portolan.nftables.table.Statement.Mark;
import dev.portolan.nftables.table.Statement.OnceIn;
import dev.portolan.nftables.table.Statement.Remember;
import dev.portolan.nftables.table.Statement.SendTo;
import dev.portolan.nftables.table.TableState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The chains of a service port with session affinity. Each endpoint has a set of the clients that
 * it served recently, and a chain that adds a client to it; a client goes where it is remembered,
 * and only a new one is sent to an endpoint at random. All addresses of the port share these, so a
 * client that comes through another address still finds its endpoint.
 */
final class AffinityRules {
  private static final int CLIENTS_OF_A_SERVICE = 1 << 20;
  private static final int FEWEST_PLACES = 1 << 11;
  private static final int MOST_PLACES = 1 << 16;

  private AffinityRules() {}

  /** The chain that serves the port with the endpoints in {@code pool}. */
  static String chain(ServicePort port, Pool pool) {
    return (pool == Pool.LOCAL ? "local-" : "service-") + Names.of(port.name());
  }

  /** The chain that serves the port from outside. */
  static String externalChain(ServicePort port) {
    return "external-" + Names.of(port.name());
  }

  /** Adds the chains and sets of {@code port}. */
  static void lay(TableState table, NodeFacts facts, int mark, ServicePort port) {
    Set<Endpoint> all = new LinkedHashSet<>(port.cluster());
    all.addAll(port.local());
    for (Endpoint endpoint : all) {
      endpoint(table, port, endpoint);
    }
    for (Pool pool : Pool.values()) {
      if (!port.endpoints(pool).isEmpty()) {
        table.add(pick(port, pool));
      }
    }
    if (port.verdict(Traffic.SHORT_CIRCUIT) == Verdict.FORWARD) {
      table.add(external(facts, mark, port));
    }
  }

  private static void endpoint(TableState table, ServicePort port, Endpoint endpoint) {
    ServicePortName name = port.name();
    String set = affinitySet(port, endpoint);
    table.add(
        set,
        new SetType(
            List.of(PacketField.SOURCE),
            new SetType.Value.Nothing(),
            false,
            port.affinitySeconds(),
            clients(port),
            false,
            ""));
    table.add(
        Chain.of(
            "endpoint-" + Names.of(name, endpoint),
            "",
            Rule.of(new Remember(set)),
            Rule.of(new SendTo(name.protocol(), endpoint.address(), endpoint.port()))));
  }

  /**
   * How many clients an endpoint remembers. The kernel allocates the hash table of a set for all of
   * them at once, even while it is empty, with a third more places and rounded up to a power of
   * two. The largest of these numbers is the last below a table that is slow to make; a service
   * with many endpoints has as many sets, and needs smaller ones.
   */
  static int clients(ServicePort port) {
    int endpoints = Math.max(port.cluster().size(), port.local().size());
    int places =
        Math.clamp(
            Integer.highestOneBit(CLIENTS_OF_A_SERVICE / endpoints), FEWEST_PLACES, MOST_PLACES);
    return places / 4 * 3 - 1;
  }

  private static Chain pick(ServicePort port, Pool pool) {
    List<Endpoint> endpoints = port.endpoints(pool);
    List<Rule> rules = new ArrayList<>();
    for (Endpoint endpoint : endpoints) {
      rules.add(
          Rule.of(
              new InSet(List.of(PacketField.SOURCE), affinitySet(port, endpoint), false),
              goToEndpoint(port, endpoint)));
    }
    List<Endpoint> turns = port.balancing().turns(endpoints);
    for (int i = 0; i < turns.size(); i++) {
      int left = turns.size() - i;
      Go go = goToEndpoint(port, turns.get(i));
      rules.add(left == 1 ? Rule.of(go) : Rule.of(new OnceIn(left), go));
    }
    return new Chain(chain(port, pool), Optional.empty(), rules, Names.comment(port.name()));
  }

  private static Chain external(NodeFacts facts, int mark, ServicePort port) {
    List<Rule> rules = new ArrayList<>();
    Route outside = port.route(Traffic.EXTERNAL);
    if (port.routes().shortCircuits()) {
      String inside = chain(port, port.route(Traffic.SHORT_CIRCUIT).pool());
      rules.addAll(PickChains.shortCircuits(facts, port.family(), mark, inside));
    }
    if (outside.masquerade() == Masquerade.ALL) {
      rules.add(Rule.of(new Mark(mark)));
    }
    if (outside.verdict() == Verdict.FORWARD) {
      rules.add(Rule.of(new Go(NftVerdict.goTo(chain(port, outside.pool())))));
    }
    return new Chain(externalChain(port), Optional.empty(), rules, Names.comment(port.name()));
  }

  /** The timeout is part of the name, because the kernel cannot change that of a set. */
  private static String affinitySet(ServicePort port, Endpoint endpoint) {
    return "affinity-" + port.affinitySeconds() + "s-" + Names.of(port.name(), endpoint);
  }

  private static Go goToEndpoint(ServicePort port, Endpoint endpoint) {
    return new Go(NftVerdict.goTo("endpoint-" + Names.of(port.name(), endpoint)));
  }
}
