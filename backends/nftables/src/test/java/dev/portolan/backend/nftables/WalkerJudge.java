package dev.portolan.backend.nftables;

import dev.portolan.backend.nftables.RuleWalker.Arrival;
import dev.portolan.backend.nftables.RuleWalker.End;
import dev.portolan.backend.nftables.RuleWalker.Walker;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.nftables.Hook;
import dev.portolan.packets.Endpoints;
import dev.portolan.packets.Judge;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Judges packets by walking through the rules that would be loaded; needs neither root nor a
 * kernel.
 */
final class WalkerJudge implements Judge {
  @Override
  public Sitting open(PacketTable packets) {
    NodeImage image = packets.decision().image();
    Map<IpFamily, RuleWalker> walkers = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      walkers.put(
          family, new RuleWalker(NftablesBackend.render(image, family, NftablesOptions.DEFAULT)));
    }
    return packet -> judge(Objects.requireNonNull(walkers.get(packet.family())), packet);
  }

  private static Outcome judge(RuleWalker rules, Packet packet) {
    boolean own = Actor.isOfNode(packet.source());
    String from = own ? "" : Actor.PODS_A.contains(packet.from()) ? Actor.POD_BRIDGE : "eth0";
    Walker start =
        new Walker(
            packet.source(),
            packet.address(),
            packet.port(),
            packet.protocol(),
            from,
            own,
            0,
            Optional.empty(),
            false);
    Stream<Arrival> routed =
        rules.pass(own ? Hook.Point.OUTPUT : Hook.Point.PREROUTING, start).stream();
    List<Arrival> arrivals =
        routed
            .flatMap(
                onward(walker -> {
                  boolean here = Actor.isOfNode(walker.destination());
                  return here
                      ? rules.pass(Hook.Point.INPUT, walker)
                      : own ? goesOn(walker) : rules.pass(Hook.Point.FORWARD, walker);
                }))
            .flatMap(onward(walker -> rules.pass(Hook.Point.POSTROUTING, walker)))
            .toList();
    return outcome(arrivals, packet);
  }

  private static List<Arrival> goesOn(Walker walker) {
    return List.of(new Arrival(walker, End.GOES_ON));
  }

  /** Goes on with packets that were not ended. */
  private static Function<Arrival, Stream<Arrival>> onward(Function<Walker, List<Arrival>> next) {
    return arrival ->
        arrival.end() == End.DROPPED || arrival.end() == End.REJECTED
            ? Stream.of(arrival)
            : next.apply(arrival.walker()).stream();
  }

  private static Outcome outcome(List<Arrival> arrivals, Packet packet) {
    Map<String, Boolean> endpoints = new TreeMap<>();
    for (Arrival arrival : arrivals) {
      Optional<Endpoint> sentTo = arrival.walker().sentTo();
      if (arrival.end() == End.DROPPED || arrival.end() == End.REJECTED || sentTo.isEmpty()) {
        Verdict verdict =
            switch (arrival.end()) {
              case DROPPED -> Verdict.DROP;
              case REJECTED -> Verdict.REJECT;
              case GOES_ON, SENT -> Verdict.NONE;
            };
        return arrivals.stream().allMatch(other -> other.end() == arrival.end())
            ? Outcome.ended(verdict)
            : Outcome.strange("not all ways end alike: " + arrivals);
      }
      Ip address = sentTo.get().address();
      String name = Endpoints.name(address, sentTo.get().port());
      endpoints.merge(name, arrival.walker().masqueraded(), Boolean::logicalOr);
    }
    return Outcome.forwarded(endpoints, packet.expected().sticky());
  }
}
