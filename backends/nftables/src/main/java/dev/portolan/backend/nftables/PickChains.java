package dev.portolan.backend.nftables;

import dev.portolan.backend.nftables.Statement.Go;
import dev.portolan.backend.nftables.Statement.IsLocal;
import dev.portolan.backend.nftables.Statement.Mark;
import dev.portolan.backend.nftables.Statement.SendToOne;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.netlink.nftables.NftVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The chains that services share: they pick an endpoint by number.
 *
 * <p>A chain draws a number below a power of two, looks the endpoint up under address, port and
 * number, and draws again if no endpoint has that number; number 0, which every service has that is
 * served at all, is the last resort, once in a thousand times at the most. So a service gains and
 * loses endpoints without leaving its chain, and a packet that drew the number of an endpoint that
 * just went finds another.
 *
 * <p>Only where the count of endpoints passes a power of two does a service move to another chain.
 * That chain is there already, because every service wants the chains next to its own as well. It
 * has to be: a packet that is under way while a transaction commits may find the new element of a
 * map, and yet sees the rules of before, in which a chain of the same transaction is empty.
 */
final class PickChains {
  private static final int DRAWS = 10;
  private static final int FEWEST_NUMBERS = 4;

  private final TableState table;
  private final NodeFacts facts;
  private final int mark;
  private final Protocol protocol;

  /** Whether an address or a nodePort was knocked at; maps and chains differ by it. */
  enum Door {
    ADDRESS(""),
    NODE_PORT("nodeport-");

    private final String prefix;

    Door(String prefix) {
      this.prefix = prefix;
    }
  }

  PickChains(TableState table, NodeFacts facts, int mark, Protocol protocol) {
    this.table = table;
    this.facts = facts;
    this.mark = mark;
    this.protocol = protocol;
  }

  /** The map of endpoints for a door: of all nodes, or of this one. */
  String map(Door door, boolean onlyLocal) {
    String name = name(door, onlyLocal ? "local-endpoints" : "endpoints");
    String what = onlyLocal ? "endpoints on this node, by number" : "endpoints, by number";
    table.add(
        name,
        door == Door.ADDRESS
            ? SetType.endpoints(protocol, what, Field.DESTINATION, Field.PORT)
            : SetType.endpoints(protocol, what, Field.PORT));
    return name;
  }

  /** The chain that picks one of {@code count} endpoints. */
  String pick(Door door, boolean onlyLocal, int count) {
    String map = map(door, onlyLocal);
    for (int numbers : around(numbers(count))) {
      table.want(pickName(door, onlyLocal, numbers), name -> pickChain(name, door, numbers, map));
    }
    return pickName(door, onlyLocal, numbers(count));
  }

  /**
   * The chain that masquerades what comes from outside, and picks one of {@code count} endpoints.
   */
  String external(Door door, int count) {
    pick(door, false, count);
    for (int numbers : around(numbers(count))) {
      table.want(
          name(door, "external-pick-" + numbers),
          name ->
              Chain.of(
                  name,
                  "from outside: masquerade, then pick",
                  Rule.of(new Mark(mark)),
                  Rule.of(go(pickName(door, false, numbers)))));
    }
    return name(door, "external-pick-" + numbers(count));
  }

  /**
   * The chain for an external policy of Local, with {@code local} of the endpoints on this node.
   */
  String externalLocal(Door door, int count, int local) {
    pick(door, false, count);
    pick(door, true, local);
    List<Integer> here = new ArrayList<>(around(numbers(local)));
    here.add(0);
    for (int everywhere : around(numbers(count))) {
      for (int numbers : here) {
        table.want(
            name(door, "external-local-" + everywhere + "-" + numbers),
            name -> externalLocalChain(name, door, everywhere, numbers));
      }
    }
    int numbers = local == 0 ? 0 : numbers(local);
    return name(door, "external-local-" + numbers(count) + "-" + numbers);
  }

  /** The rules by which pods and the node itself take the endpoints of all nodes. */
  static List<Rule> shortCircuits(NodeFacts facts, IpFamily family, int mark, String everywhere) {
    List<Rule> rules = new ArrayList<>();
    Layout.fromPods(facts.detector(family), false)
        .ifPresent(fromPods -> rules.add(Rule.of(fromPods, go(everywhere))));
    rules.add(Rule.of(new IsLocal(Field.SOURCE), new Mark(mark)));
    rules.add(Rule.of(new IsLocal(Field.SOURCE), go(everywhere)));
    return rules;
  }

  private Chain pickChain(String name, Door door, int numbers, String map) {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < DRAWS; i++) {
      rules.add(Rule.of(new SendToOne(protocol, door == Door.ADDRESS, numbers, map)));
    }
    rules.add(Rule.of(new SendToOne(protocol, door == Door.ADDRESS, 1, map)));
    return new Chain(
        name,
        Optional.empty(),
        rules,
        "one of up to " + numbers + " endpoints; an unused number is drawn again");
  }

  private Chain externalLocalChain(String name, Door door, int everywhere, int numbers) {
    List<Rule> rules =
        shortCircuits(facts, table.family(), mark, pickName(door, false, everywhere));
    if (numbers > 0) {
      rules.add(Rule.of(go(pickName(door, true, numbers))));
    }
    return new Chain(
        name, Optional.empty(), rules, "policy Local: pods and this node pick anywhere");
  }

  private String pickName(Door door, boolean onlyLocal, int numbers) {
    return name(door, (onlyLocal ? "local-pick-" : "pick-") + numbers);
  }

  private String name(Door door, String rest) {
    return protocol.lower() + "-" + door.prefix + rest;
  }

  /** How many numbers there are to draw from: a power of two, at least as many as endpoints. */
  private static int numbers(int count) {
    int fewest = Math.max(FEWEST_NUMBERS, count);
    int power = Integer.highestOneBit(fewest);
    return power == fewest ? power : power * 2;
  }

  /** The same power of two, and those next to it. */
  private static List<Integer> around(int numbers) {
    return numbers == FEWEST_NUMBERS
        ? List.of(numbers, numbers * 2)
        : List.of(numbers / 2, numbers, numbers * 2);
  }

  private static Go go(String chain) {
    return new Go(NftVerdict.goTo(chain));
  }
}
