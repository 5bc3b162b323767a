package dev.portolan.walk.nft;

import dev.portolan.core.net.Ip;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.walk.nft.ChainExits.End;
import dev.portolan.walk.nft.table.CompiledRule;
import dev.portolan.walk.nft.table.NftExpression;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One packet in one rule. Where the rule draws at random or hashes, every number is followed with
 * its share.
 */
final class RuleRun {
  /** What comes after an expression. */
  private enum Flow {
    /** The next expression. */
    ON,
    /** The next rule. */
    NEXT_RULE,
    /** Nothing: the packet has left this chain, or its ways were all followed. */
    DONE
  }

  private final RuleMachine machine;
  private final CompiledRule rule;
  private final ChainExits exits;
  private final Registers registers;
  private Lane lane;
  private @Nullable Object effect;
  private int index;

  RuleRun(RuleMachine machine, CompiledRule rule, ChainExits exits, Lane lane) {
    this(machine, rule, exits, lane, new Registers());
  }

  private RuleRun(
      RuleMachine machine, CompiledRule rule, ChainExits exits, Lane lane, Registers registers) {
    this.machine = machine;
    this.rule = rule;
    this.exits = exits;
    this.lane = lane;
    this.registers = registers;
  }

  /** The same from the next expression on, along another lane. */
  private RuleRun fork(Lane other) {
    RuleRun fork = new RuleRun(machine, rule, exits, other, registers.copy());
    fork.effect = effect;
    fork.index = index + 1;
    return fork;
  }

  /** A mark that was set. */
  private record Marked(String what, int value) {
    @Override
    public String toString() {
      return what + " becomes 0x" + HexFormat.of().toHexDigits(value);
    }
  }

  /** Obeys the rule to its end, or to the first expression that does not match. */
  void obey() {
    Flow flow = Flow.ON;
    while (flow == Flow.ON && index < rule.expressions().size()) {
      flow = step(rule.expressions().get(index));
      index++;
    }
    if (flow != Flow.DONE) {
      exits.goOn(effect == null ? lane : lane.after(rule, effect));
    }
  }

  private Flow step(NftExpression expression) {
    PacketState state = lane.state();
    PacketFacts facts = machine.facts();
    return switch (expression) {
      case NftExpression.LoadHeader load -> loadHeader(load);
      case NftExpression.LoadMeta load ->
          store(facts.meta(load.key(), state, machine.passage()), load.to(), "meta");
      case NftExpression.LoadConnection load ->
          store(facts.connection(load.key(), load.reply(), state), load.to(), "ct");
      case NftExpression.LoadRoute load ->
          store(
              facts.route(load.result(), load.flags(), state, machine.passage()), load.to(), "fib");
      case NftExpression.LoadConstant load -> {
        registers.store(load.to(), load.value());
        yield Flow.ON;
      }
      case NftExpression.LoadFromMap load -> {
        Optional<Element> found = find(load.map(), load.from());
        found.ifPresent(element -> registers.store(load.to(), element.data()));
        yield when(found.isPresent());
      }
      case NftExpression.Compare compare ->
          when(compare.comparison().holds(registers.compare(compare.from(), compare.value())));
      case NftExpression.InRange range ->
          when(
              range.inverted()
                  != (registers.compare(range.from(), range.first()) >= 0
                      && registers.compare(range.from(), range.last()) <= 0));
      case NftExpression.InSet inSet -> inSet(inSet);
      case NftExpression.MaskAndFlip mask -> {
        Bits.maskAndFlip(mask, registers);
        yield Flow.ON;
      }
      case NftExpression.Shift shift -> {
        Bits.shift(shift, registers);
        yield Flow.ON;
      }
      case NftExpression.SwapBytes swap -> {
        Bits.swap(swap, registers);
        yield Flow.ON;
      }
      case NftExpression.Aside _ -> Flow.ON;
      case NftExpression.Limit limit -> limit(limit);
      case NftExpression.Obscure(String name) -> obscure(name);
      case NftExpression.StoreHeader store -> {
        byte[] value = registers.load(store.from(), store.length());
        change(PacketHeaders.write(state, store.base(), store.offset(), value), "header changed");
        yield Flow.ON;
      }
      case NftExpression.StoreMeta store -> {
        if (store.key() == PacketFacts.META_MARK) {
          int mark = registers.loadNumber(store.from());
          change(state.mark(mark), new Marked("mark", mark));
        }
        yield Flow.ON;
      }
      case NftExpression.StoreConnection store -> {
        if (store.key() == PacketFacts.CT_MARK) {
          int mark = registers.loadNumber(store.from());
          change(state.connectionMark(mark), new Marked("ct mark", mark));
        }
        yield Flow.ON;
      }
      case NftExpression.ChangeSet change -> {
        if (!change.removes() && machine.table().isMemory(change.set())) {
          change(state.rememberIn(change.set()), "client remembered");
        }
        yield when(!change.inverted());
      }
      case NftExpression.Untrack _ -> {
        if (state.tracking() == PacketState.Tracking.NOT_YET) {
          change(state.tracking(PacketState.Tracking.NEVER), "not tracked");
        }
        yield Flow.ON;
      }
      case NftExpression.Draw draw -> draw(draw);
      case NftExpression.VerdictFromMap load ->
          find(load.map(), load.from())
              .flatMap(Element::verdict)
              .map(this::decide)
              .orElse(Flow.NEXT_RULE);
      case NftExpression.Decide(NftVerdict verdict) -> decide(verdict);
      case NftExpression.Reject _ -> {
        note("reject");
        exits.end(lane.after(rule, noted()), End.REJECTED);
        yield Flow.DONE;
      }
      case NftExpression.Translate translate -> translate(translate);
      case NftExpression.Redirect redirect -> {
        int port = redirect.port() < 0 ? state.port() : registers.loadPort(redirect.port());
        yield send(facts.ownAddress(state, machine.passage()), port, 1);
      }
      case NftExpression.Masquerade _ -> {
        change(state.masquerade(), "masquerade");
        exits.end(lane.after(rule, noted()), End.ACCEPTED);
        yield Flow.DONE;
      }
    };
  }

  private Flow loadHeader(NftExpression.LoadHeader load) {
    byte[] bytes = PacketHeaders.part(lane.state(), load.base(), load.offset(), load.length());
    if (bytes == null) {
      return Flow.NEXT_RULE;
    }
    registers.store(load.to(), bytes);
    return Flow.ON;
  }

  private Flow store(Fact fact, int register, String what) {
    return switch (fact) {
      case Fact.Known(byte[] bytes) -> {
        registers.store(register, bytes);
        yield Flow.ON;
      }
      case Fact.Absent() -> Flow.NEXT_RULE;
      case Fact.Unknown() -> obscure(what);
    };
  }

  private Optional<Element> find(String set, int register) {
    return machine
        .table()
        .set(set)
        .flatMap(index -> index.find(registers.load(register, index.set().keyLength())));
  }

  private Flow inSet(NftExpression.InSet inSet) {
    String set = inSet.set();
    if (!machine.table().isMemory(set)) {
      return when(find(set, inSet.from()).isPresent() != inSet.inverted());
    }
    // A new client is in no memory. Where one goes that comes back is followed beside.
    if (lane.supposing() == null && !inSet.inverted() && isClient(set, inSet.from())) {
      fork(lane.suppose(set)).obey();
    }
    return when(set.equals(lane.supposing()) != inSet.inverted());
  }

  private boolean isClient(String set, int register) {
    byte[] client = lane.state().source().toBytes();
    return machine
        .table()
        .set(set)
        .filter(index ->
            index.set().keyLength() == client.length && registers.compare(register, client) == 0)
        .isPresent();
  }

  private Flow draw(NftExpression.Draw draw) {
    for (int number = 0; number < draw.modulus(); number++) {
      RuleRun way = fork(lane.part(1.0 / draw.modulus()));
      way.registers.storeNumber(draw.to(), draw.offset() + number);
      way.obey();
    }
    return Flow.DONE;
  }

  private Flow decide(NftVerdict verdict) {
    note(verdict);
    machine.decide(verdict, lane.after(rule, noted()), exits);
    return Flow.DONE;
  }

  /** Goes on as long as not too much came before, which is what is taken for granted. */
  private Flow limit(NftExpression.Limit limit) {
    if (!limit.inverted() && rule.mattersFrom(index + 1)) {
      note(limit.words() + " taken as not exceeded");
    }
    return when(!limit.inverted());
  }

  private Flow obscure(String name) {
    if (lane.supposing() == null && rule.mattersFrom(index)) {
      machine
          .journal()
          .remark("rule " + rule.place() + " cannot be understood: it uses '" + name + "'");
    }
    return Flow.NEXT_RULE;
  }

  private Flow translate(NftExpression.Translate translate) {
    Optional<AddressRange> range = AddressRange.of(translate, registers, lane.state());
    if (range.isEmpty()) {
      return obscure("nat to many addresses or ports");
    }
    AddressRange to = range.get();
    if (translate.destination()) {
      for (Ip address : to.addresses()) {
        var _ = fork(lane).send(address, to.port(), 1.0 / to.addresses().size());
      }
      return Flow.DONE;
    }
    Ip source = to.addresses().getFirst();
    boolean ofNode = machine.facts().isOfNode(source);
    if (!ofNode) {
      machine
          .journal()
          .remark(
              "rule "
                  + rule.place()
                  + " changes the source to "
                  + source
                  + ", which is not an address of this node");
    }
    change(lane.state().sendFrom(source, to.port(), ofNode), "snat to " + source);
    exits.end(lane.after(rule, noted()), End.ACCEPTED);
    return Flow.DONE;
  }

  /** Where a packet is sent. */
  private record Sent(Ip address, int port) {
    @Override
    public String toString() {
      return "dnat to " + address.withPort(port);
    }
  }

  private Flow send(Ip address, int port, double share) {
    if (lane.supposing() != null) {
      machine.journal().returnsTo(lane.supposing(), address.withPort(port));
      return Flow.DONE;
    }
    lane = lane.part(share);
    change(lane.state().sendTo(address, port), new Sent(address, port));
    exits.end(lane.after(rule, noted()), End.ACCEPTED);
    return Flow.DONE;
  }

  private static Flow when(boolean matched) {
    return matched ? Flow.ON : Flow.NEXT_RULE;
  }

  private void change(PacketState state, Object what) {
    lane = lane.with(state);
    note(what);
  }

  private void note(Object what) {
    effect = effect == null ? what : new Trail.Both(effect, what);
  }

  private Object noted() {
    return effect == null ? "" : effect;
  }
}
