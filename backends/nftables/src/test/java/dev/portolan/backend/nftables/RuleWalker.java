package dev.portolan.backend.nftables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.lab.Actor;
import dev.portolan.nftables.Hook;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.table.Chain;
import dev.portolan.nftables.table.Entry;
import dev.portolan.nftables.table.PacketField;
import dev.portolan.nftables.table.Statement;
import dev.portolan.nftables.table.Statement.Count;
import dev.portolan.nftables.table.Statement.FromInterface;
import dev.portolan.nftables.table.Statement.Go;
import dev.portolan.nftables.table.Statement.InRange;
import dev.portolan.nftables.table.Statement.InSet;
import dev.portolan.nftables.table.Statement.IsLocal;
import dev.portolan.nftables.table.Statement.IsMarked;
import dev.portolan.nftables.table.Statement.IsNew;
import dev.portolan.nftables.table.Statement.Mark;
import dev.portolan.nftables.table.Statement.Masquerade;
import dev.portolan.nftables.table.Statement.OnceIn;
import dev.portolan.nftables.table.Statement.Reject;
import dev.portolan.nftables.table.Statement.Remember;
import dev.portolan.nftables.table.Statement.SendBySlot;
import dev.portolan.nftables.table.Statement.SendTo;
import dev.portolan.nftables.table.Statement.SendToOne;
import dev.portolan.nftables.table.Statement.Unmark;
import dev.portolan.nftables.table.Statement.VerdictOf;
import dev.portolan.nftables.table.Statement.WasDnatted;
import dev.portolan.nftables.table.TableState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Walks the first packet of a connection through rendered rules, along every way that chance may
 * take: what a kernel would do, without one.
 */
final class RuleWalker {
  private final Map<String, Chain> chains;
  private final Map<String, List<Entry>> entries;

  RuleWalker(TableState table) {
    this.chains = table.chains();
    this.entries = table.entries();
  }

  /**
   * A packet on its way.
   *
   * @param from the interface it came through; empty for the node's own
   * @param ownAddress whether its source is an address of the node
   */
  record Walker(
      Ip source,
      Ip destination,
      int port,
      Protocol protocol,
      String from,
      boolean ownAddress,
      int mark,
      Optional<Endpoint> sentTo,
      boolean masqueraded) {
    Walker sendTo(Endpoint endpoint) {
      return new Walker(
          source,
          endpoint.address(),
          endpoint.port(),
          protocol,
          from,
          ownAddress,
          mark,
          Optional.of(endpoint),
          masqueraded);
    }

    Walker mark(int newMark) {
      return new Walker(
          source, destination, port, protocol, from, ownAddress, newMark, sentTo, masqueraded);
    }

    Walker masquerade() {
      return new Walker(source, destination, port, protocol, from, ownAddress, mark, sentTo, true);
    }
  }

  /** How a way through a chain ends. */
  enum End {
    GOES_ON,
    SENT,
    DROPPED,
    REJECTED
  }

  /** A packet at the end of one of its ways. */
  record Arrival(Walker walker, End end) {}

  /** All ways through the base chains at a hook, in the order of their priorities. */
  List<Arrival> pass(Hook.Point point, Walker walker) {
    List<Chain> hooked =
        chains.values().stream()
            .filter(chain -> chain.hook().map(Hook::point).equals(Optional.of(point)))
            .sorted(Comparator.comparingInt(chain -> chain.hook().orElseThrow().priority()))
            .toList();
    List<Arrival> arrivals = List.of(new Arrival(walker, End.GOES_ON));
    for (Chain chain : hooked) {
      List<Arrival> next = new ArrayList<>();
      for (Arrival arrival : arrivals) {
        if (arrival.end == End.DROPPED || arrival.end == End.REJECTED) {
          next.add(arrival);
        } else {
          next.addAll(walk(chain.name(), 0, arrival.walker));
        }
      }
      arrivals = next;
    }
    return arrivals;
  }

  private List<Arrival> walk(String name, int index, Walker walker) {
    Chain chain = Objects.requireNonNull(chains.get(name), () -> "no chain " + name);
    if (index == chain.rules().size()) {
      return List.of(new Arrival(walker, End.GOES_ON));
    }
    List<Arrival> arrivals = new ArrayList<>();
    obey(chain, index, chain.rules().get(index).statements(), walker, arrivals);
    return arrivals;
  }

  /** Obeys what is left of a rule; where it does not match, goes on with the next one. */
  private void obey(
      Chain chain, int index, List<Statement> rest, Walker walker, List<Arrival> arrivals) {
    Consumer<Walker> nextRule = next -> arrivals.addAll(walk(chain.name(), index + 1, next));
    if (rest.isEmpty()) {
      nextRule.accept(walker);
      return;
    }
    List<Statement> others = rest.subList(1, rest.size());
    switch (rest.getFirst()) {
      case InSet set ->
          goOn(contains(set, walker) != set.negated(), chain, index, others, walker, arrivals);
      case InRange range -> {
        Ip address = range.field() == PacketField.SOURCE ? walker.source : walker.destination;
        boolean inside = range.range().contains(address);
        goOn(inside != range.negated(), chain, index, others, walker, arrivals);
      }
      case FromInterface from -> {
        boolean fits =
            from.prefix() ? walker.from.startsWith(from.name()) : walker.from.equals(from.name());
        goOn(fits != from.negated(), chain, index, others, walker, arrivals);
      }
      case IsLocal local ->
          goOn(
              local.field() == PacketField.SOURCE
                  ? walker.ownAddress
                  : Actor.isOfNode(walker.destination),
              chain,
              index,
              others,
              walker,
              arrivals);
      case IsNew(), Count() -> obey(chain, index, others, walker, arrivals);
      case WasDnatted() -> goOn(walker.sentTo.isPresent(), chain, index, others, walker, arrivals);
      case IsMarked(int bit) ->
          goOn((walker.mark & bit) != 0, chain, index, others, walker, arrivals);
      case Mark(int bit) -> obey(chain, index, others, walker.mark(walker.mark | bit), arrivals);
      case Unmark(int bit) -> obey(chain, index, others, walker.mark(walker.mark ^ bit), arrivals);
      case Remember remember -> obey(chain, index, others, walker, arrivals);
      case Masquerade() -> arrivals.add(new Arrival(walker.masquerade(), End.SENT));
      case Reject() -> arrivals.add(new Arrival(walker, End.REJECTED));
      case Go(NftVerdict verdict) -> go(verdict, walker, arrivals, nextRule);
      case VerdictOf lookup -> {
        Optional<NftVerdict> verdict = verdict(lookup, walker);
        if (verdict.isPresent()) {
          go(verdict.get(), walker, arrivals, nextRule);
        } else {
          nextRule.accept(walker);
        }
      }
      case SendTo send -> {
        if (send.protocol() == walker.protocol) {
          Endpoint endpoint = new Endpoint(send.address(), send.port(), "");
          arrivals.add(new Arrival(walker.sendTo(endpoint), End.SENT));
        } else {
          nextRule.accept(walker);
        }
      }
      case SendBySlot send -> {
        SendToOne any = new SendToOne(send.protocol(), send.byAddress(), send.slots(), send.map());
        List<Statement> like = new ArrayList<>(List.of(any));
        like.addAll(others);
        obey(chain, index, like, walker, arrivals);
      }
      case SendToOne send -> {
        boolean missed = send.protocol() != walker.protocol;
        for (int i = 0; i < send.choices() && send.protocol() == walker.protocol; i++) {
          Optional<Endpoint> endpoint = endpoint(send, i, walker);
          endpoint.ifPresent(found -> arrivals.add(new Arrival(walker.sendTo(found), End.SENT)));
          missed |= endpoint.isEmpty();
        }
        if (missed) {
          nextRule.accept(walker);
        }
      }
      case OnceIn once -> {
        obey(chain, index, others, walker, arrivals);
        nextRule.accept(walker);
      }
    }
  }

  private void goOn(
      boolean matched,
      Chain chain,
      int index,
      List<Statement> others,
      Walker walker,
      List<Arrival> arrivals) {
    if (matched) {
      obey(chain, index, others, walker, arrivals);
    } else {
      arrivals.addAll(walk(chain.name(), index + 1, walker));
    }
  }

  private void go(
      NftVerdict verdict, Walker walker, List<Arrival> arrivals, Consumer<Walker> nextRule) {
    switch (verdict.code()) {
      case DROP -> arrivals.add(new Arrival(walker, End.DROPPED));
      case CONTINUE -> nextRule.accept(walker);
      case ACCEPT, RETURN -> arrivals.add(new Arrival(walker, End.GOES_ON));
      case GOTO -> arrivals.addAll(walk(verdict.chain(), 0, walker));
      case JUMP -> {
        List<Arrival> there = walk(verdict.chain(), 0, walker);
        there.stream().filter(arrival -> arrival.end != End.GOES_ON).forEach(arrivals::add);
        there.stream()
            .filter(arrival -> arrival.end == End.GOES_ON)
            .map(Arrival::walker)
            .distinct()
            .forEach(nextRule);
      }
    }
  }

  private boolean contains(InSet lookup, Walker walker) {
    return entries.getOrDefault(lookup.set(), List.of()).stream()
        .anyMatch(entry ->
            switch (entry) {
              case Entry.OfAddress(Ip address) -> address.equals(walker.destination);
              case Entry.OfHairpin(Ip address, Protocol protocol, int port) ->
                  address.equals(walker.source)
                      && address.equals(walker.destination)
                      && protocol == walker.protocol
                      && port == walker.port;
              case Entry.OfAddressPort guarded ->
                  guarded.address().equals(walker.destination)
                      && guarded.protocol() == walker.protocol
                      && guarded.port() == walker.port;
              case Entry.OfSource source ->
                  source.address().equals(walker.destination)
                      && source.protocol() == walker.protocol
                      && source.port() == walker.port
                      && source.source().contains(walker.source);
              default -> throw new IllegalStateException(lookup.set() + " is not a set");
            });
  }

  private Optional<NftVerdict> verdict(VerdictOf lookup, Walker walker) {
    for (Entry entry : entries.getOrDefault(lookup.map(), List.of())) {
      if (entry instanceof Entry.OfService service
          && service.address().equals(walker.destination)
          && service.protocol() == walker.protocol
          && service.port() == walker.port) {
        return Optional.of(service.verdict());
      }
      if (entry instanceof Entry.OfNodePort nodePort
          && nodePort.protocol() == walker.protocol
          && nodePort.port() == walker.port) {
        return Optional.of(nodePort.verdict());
      }
    }
    return Optional.empty();
  }

  private Optional<Endpoint> endpoint(SendToOne send, int index, Walker walker) {
    for (Entry entry : entries.getOrDefault(send.map(), List.of())) {
      if (entry instanceof EndpointEntry.OfAddress numbered
          && numbered.address().equals(walker.destination)
          && numbered.port() == walker.port
          && numbered.index() == index) {
        return Optional.of(numbered.endpoint());
      }
      if (entry instanceof EndpointEntry.OfNodePort numbered
          && numbered.port() == walker.port
          && numbered.index() == index) {
        return Optional.of(numbered.endpoint());
      }
    }
    return Optional.empty();
  }
}
