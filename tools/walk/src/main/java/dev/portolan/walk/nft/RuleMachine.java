package dev.portolan.walk.nft;

import dev.portolan.nftables.NftVerdict;
import dev.portolan.walk.nft.ChainExits.Arrival;
import dev.portolan.walk.nft.ChainExits.End;
import dev.portolan.walk.nft.table.CompiledRule;
import dev.portolan.walk.nft.table.CompiledTable;
import dev.portolan.walk.nft.table.CompiledTable.CompiledChain;
import java.util.List;

/**
 * Sends a packet through the chains of one table at one hook, as the kernel's {@code nft_do_chain}
 * does.
 */
final class RuleMachine {
  private final CompiledTable table;
  private final PacketFacts facts;
  private final HookPassage passage;
  private final Journal journal;

  RuleMachine(CompiledTable table, PacketFacts facts, HookPassage passage, Journal journal) {
    this.table = table;
    this.facts = facts;
    this.passage = passage;
    this.journal = journal;
  }

  CompiledTable table() {
    return table;
  }

  PacketFacts facts() {
    return facts;
  }

  HookPassage passage() {
    return passage;
  }

  Journal journal() {
    return journal;
  }

  /**
   * All ways through a chain. Rules that draw again if nothing was drawn are often the same several
   * times over: what the first of them does to a packet, the others do to what is left.
   */
  @SuppressWarnings("ReferenceEquality") // a rule that changed nothing passes the same state on
  ChainExits run(CompiledChain chain, Lane start) {
    ChainExits exits = new ChainExits();
    List<Lane> lanes = List.of(start);
    double[] drawn = {};
    for (int i = 0; i < chain.rules().size(); i++) {
      CompiledRule rule = chain.rules().get(i);
      boolean comesAgain = i + 1 < chain.rules().size() && chain.rules().get(i + 1).repeats();
      int before = exits.arrivals().size();
      Lane in = lanes.getFirst();
      if (drawn.length > 0 && rule.repeats()) {
        lanes = List.of(exits.repeat(drawn, in));
      } else {
        for (Lane lane : lanes) {
          new RuleRun(this, rule, exits, lane).obey();
        }
        boolean plain = lanes.size() == 1;
        lanes = exits.takeGoing();
        drawn =
            comesAgain && plain && lanes.size() == 1 && lanes.getFirst().state() == in.state()
                ? exits.partsSince(before, in)
                : new double[] {};
      }
      if (lanes.isEmpty()) {
        break;
      }
    }
    lanes.forEach(exits::goBack);
    return exits;
  }

  /** Sends a packet where a verdict says. */
  void decide(NftVerdict verdict, Lane lane, ChainExits exits) {
    switch (verdict.code()) {
      case ACCEPT -> exits.end(lane, End.ACCEPTED);
      case DROP -> exits.end(lane, End.DROPPED);
      case CONTINUE -> exits.goOn(lane);
      case RETURN -> exits.goBack(lane);
      case JUMP -> call(verdict.chain(), lane, exits).returning().forEach(exits::goOn);
      case GOTO -> call(verdict.chain(), lane, exits).returning().forEach(exits::goBack);
    }
  }

  private ChainExits call(String name, Lane lane, ChainExits exits) {
    CompiledChain chain =
        table
            .chain(name)
            .orElseThrow(() -> new IllegalStateException(table.name() + " has no chain " + name));
    ChainExits inner = run(chain, lane);
    for (Arrival arrival : inner.arrivals()) {
      exits.end(arrival.lane(), arrival.end());
    }
    return inner;
  }
}
