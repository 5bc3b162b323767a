package dev.portolan.backend.nftables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.table.Chain;
import dev.portolan.nftables.table.NodeConditions;
import dev.portolan.nftables.table.PacketField;
import dev.portolan.nftables.table.Rule;
import dev.portolan.nftables.table.SetType;
import dev.portolan.nftables.table.Statement;
import dev.portolan.nftables.table.Statement.Go;
import dev.portolan.nftables.table.Statement.IsLocal;
import dev.portolan.nftables.table.Statement.Mark;
import dev.portolan.nftables.table.TableState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The chains that services share: they pick an endpoint by number.
 *
 * <p>A chain draws a number below a power of two, looks the endpoint up under address, port and
 * number, and draws again if no endpoint has that number. After ten times it draws from the lower
 * half of the numbers, which are in use if there are two endpoints or more; number 0, which every
 * service has that is served at all, is the last resort. So a service gains and loses endpoints
 * without leaving its chain, and a packet that drew the number of an endpoint that just went finds
 * another.
 *
 * <p>A draw is a chain of one rule, to which the others jump: for each new rule that looks into a
 * map the kernel goes through the whole map.
 *
 * <p>Only where the count of endpoints passes a power of two does a service move to another chain.
 * That chain is there already, because every service wants the chains next to its own as well. It
 * has to be: a packet that is under way while a transaction commits may find the new element of a
 * map, and yet sees the rules of before, in which a chain of the same transaction is empty.
 *
 * <p>Where the endpoint follows from the client, the number is a slot of the service's table; then
 * every number has an endpoint ({@link Draw}).
 */
final class PickChains {
  private final TableState table;
  private final NodeFacts facts;
  private final int mark;
  private final Protocol protocol;
  private final String ofAddresses;
  private final String ofNodePorts;
  private final Draw draw;

  PickChains(TableState table, NodeFacts facts, int mark, Protocol protocol, Draw draw) {
    this.table = table;
    this.facts = facts;
    this.mark = mark;
    this.protocol = protocol;
    this.ofAddresses = protocol.lower() + "-";
    this.ofNodePorts = ofAddresses + "nodeport-";
    this.draw = draw;
  }

  /** The map of endpoints in a pool; nodePorts have maps and chains of their own. */
  String map(ServiceAddress address, Pool pool) {
    String name = start(address) + prefix(pool) + draw.map();
    table.wantSet(name, set -> type(address, pool));
    return name;
  }

  private SetType type(ServiceAddress address, Pool pool) {
    String what = (pool == Pool.LOCAL ? "endpoints on this node, " : "endpoints, ") + draw.what();
    return address.isNodePort()
        ? SetType.endpoints(protocol, what, PacketField.PORT)
        : SetType.endpoints(protocol, what, PacketField.DESTINATION, PacketField.PORT);
  }

  /** The chain that picks one of {@code count} endpoints. */
  String pick(ServiceAddress address, Pool pool, int count) {
    String map = map(address, pool);
    int numbers = draw.numbers(count);
    String name = pickName(address, pool, numbers);
    table.want(name, () -> pickChains(address, pool, numbers, map));
    return name;
  }

  /**
   * The chain that masquerades what comes from outside, and picks one of {@code count} endpoints.
   */
  String external(ServiceAddress address, int count) {
    pick(address, Pool.CLUSTER, count);
    int numbers = draw.numbers(count);
    String name = externalName(address, numbers);
    table.want(name, () -> externalChains(address, numbers));
    return name;
  }

  /**
   * The chain that sends pods and this node to one of {@code count} endpoints, and all others to
   * one of {@code local} endpoints on this node.
   */
  String externalLocal(ServiceAddress address, int count, int local) {
    pick(address, Pool.CLUSTER, count);
    pick(address, Pool.LOCAL, local);
    int numbers = draw.numbers(count);
    String name = externalLocalName(address, numbers, local == 0 ? 0 : draw.numbers(local));
    table.want(name, () -> externalLocalChains(address, numbers, draw.numbers(local)));
    return name;
  }

  /** The rules by which pods and the node itself take the endpoints of all nodes. */
  static List<Rule> shortCircuits(NodeFacts facts, IpFamily family, int mark, String everywhere) {
    List<Rule> rules = new ArrayList<>();
    NodeConditions.fromPods(facts.detector(family), false)
        .ifPresent(fromPods -> rules.add(Rule.of(fromPods, go(everywhere))));
    rules.add(Rule.of(new IsLocal(PacketField.SOURCE), new Mark(mark)));
    rules.add(Rule.of(new IsLocal(PacketField.SOURCE), go(everywhere)));
    return rules;
  }

  /** The chain for this many numbers and its neighbours, with the chains that draw for them. */
  private Collection<Chain> pickChains(
      ServiceAddress address, Pool pool, int ofService, String map) {
    Set<Chain> chains = new LinkedHashSet<>();
    for (int numbers : draw.around(ofService)) {
      List<Rule> draws = new ArrayList<>();
      for (int once : draw.draws(numbers)) {
        Statement send = draw.send(protocol, !address.isNodePort(), once, map);
        Chain drawing = Chain.of(drawName(address, pool, once), "", Rule.of(send));
        chains.add(drawing);
        draws.add(Rule.of(new Go(NftVerdict.jump(drawing.name()))));
      }
      String name = pickName(address, pool, numbers);
      chains.add(new Chain(name, Optional.empty(), draws, draw.comment(numbers)));
    }
    return chains;
  }

  private List<Chain> externalChains(ServiceAddress address, int ofService) {
    List<Chain> chains = new ArrayList<>();
    for (int numbers : draw.around(ofService)) {
      chains.add(
          Chain.of(
              externalName(address, numbers),
              "from outside: masquerade, then pick",
              Rule.of(new Mark(mark)),
              Rule.of(go(pickName(address, Pool.CLUSTER, numbers)))));
    }
    return chains;
  }

  private List<Chain> externalLocalChains(ServiceAddress address, int ofService, int ofLocal) {
    List<Integer> here = new ArrayList<>(draw.around(ofLocal));
    here.add(0);
    List<Chain> chains = new ArrayList<>();
    for (int everywhere : draw.around(ofService)) {
      for (int numbers : here) {
        chains.add(externalLocalChain(address, everywhere, numbers));
      }
    }
    return chains;
  }

  private Chain externalLocalChain(ServiceAddress address, int everywhere, int numbers) {
    List<Rule> rules =
        shortCircuits(facts, table.family(), mark, pickName(address, Pool.CLUSTER, everywhere));
    if (numbers > 0) {
      rules.add(Rule.of(go(pickName(address, Pool.LOCAL, numbers))));
    }
    return new Chain(
        externalLocalName(address, everywhere, numbers),
        Optional.empty(),
        rules,
        "policy Local: pods and this node pick anywhere");
  }

  private String pickName(ServiceAddress address, Pool pool, int numbers) {
    return start(address) + prefix(pool) + draw.word() + "-" + numbers;
  }

  private String drawName(ServiceAddress address, Pool pool, int numbers) {
    return start(address) + prefix(pool) + draw.one() + "-" + numbers;
  }

  private String externalName(ServiceAddress address, int numbers) {
    return start(address) + "external-" + draw.word() + "-" + numbers;
  }

  private String externalLocalName(ServiceAddress address, int everywhere, int here) {
    String word = draw == Draw.PICK ? "" : draw.word() + "-";
    return start(address) + "external-local-" + word + everywhere + "-" + here;
  }

  private String start(ServiceAddress address) {
    return address.isNodePort() ? ofNodePorts : ofAddresses;
  }

  private static String prefix(Pool pool) {
    return pool == Pool.LOCAL ? "local-" : "";
  }

  private static Go go(String chain) {
    return new Go(NftVerdict.goTo(chain));
  }
}
