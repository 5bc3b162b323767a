package dev.portolan.walk.iptables;

import dev.portolan.walk.HookedRules;
import dev.portolan.walk.Journey;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.WalkedPacket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The places at which the kernel shows packets to the tables of one family, in its order. */
final class IptablesHooks implements HookedRules {
  private final SavedTables tables;
  private final NodeNetwork network;

  IptablesHooks(SavedTables tables, NodeNetwork network) {
    this.tables = tables;
    this.network = network;
  }

  /** All ways of a first packet, to where it leaves the rules or is ended by one. */
  List<Journey> walk(WalkedPacket packet) {
    Journey start = Journey.of(packet);
    return packet.first().isFromNode()
        ? each(each(each(output(start), this::filteredOutput), this::postrouting), this::cameBack)
        : each(prerouting(start), this::routed);
  }

  private List<Journey> routed(Journey way) {
    return network.isLocal(way.packet().destination())
        ? pass("nat", "INPUT", input(way))
        : each(forward(way), this::postrouting);
  }

  /** What the host sends to itself comes in again, and is not translated a second time. */
  private List<Journey> cameBack(Journey way) {
    return network.isLocal(way.packet().destination())
        ? each(
            pass(way.with(way.packet().through("lo", "")), "PREROUTING", "raw", "mangle"),
            this::input)
        : List.of(way);
  }

  @Override
  public List<Journey> prerouting(Journey start) {
    return pass("nat", "PREROUTING", pass(start, "PREROUTING", "raw", "mangle"));
  }

  @Override
  public List<Journey> input(Journey start) {
    return pass(start, "INPUT", "mangle", "filter", "security");
  }

  @Override
  public List<Journey> forward(Journey start) {
    Journey leaving = leaving(start, start.packet().in());
    return pass(leaving, "FORWARD", "mangle", "filter", "security");
  }

  @Override
  public List<Journey> output(Journey start) {
    return pass("nat", "OUTPUT", pass(leaving(start, ""), "OUTPUT", "raw", "mangle"));
  }

  @Override
  public List<Journey> filteredOutput(Journey start) {
    return pass(leaving(start, ""), "OUTPUT", "filter", "security");
  }

  @Override
  public List<Journey> postrouting(Journey start) {
    Journey out = leaving(start, "");
    return pass("nat", "POSTROUTING", pass(out, "POSTROUTING", "mangle"));
  }

  private Journey leaving(Journey journey, String in) {
    WalkedPacket packet = journey.packet();
    return journey.with(packet.through(in, network.outgoing(packet.destination())));
  }

  private static List<Journey> each(List<Journey> ways, Function<Journey, List<Journey>> step) {
    List<Journey> all = new ArrayList<>();
    ways.forEach(way -> all.addAll(way.goesOn() ? step.apply(way) : List.of(way)));
    return all;
  }

  private List<Journey> pass(Journey start, String chain, String... names) {
    List<Journey> ways = List.of(start);
    for (String table : names) {
      ways = pass(table, chain, ways);
    }
    return ways;
  }

  private List<Journey> pass(String table, String chain, List<Journey> ways) {
    Optional<RuleChain> base = tables.chain(table, chain);
    if (base.isEmpty()) {
      return ways;
    }
    List<Journey> passed = new ArrayList<>();
    for (Journey way : ways) {
      boolean skipped = !way.goesOn() || (table.equals("nat") && way.packet().untracked());
      passed.addAll(skipped ? List.of(way) : ChainWalk.pass(tables, network, base.get(), way));
    }
    return passed;
  }
}
