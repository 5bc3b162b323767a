package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.TextWalker.Arrival;
import dev.portolan.backend.iptables.TextWalker.End;
import dev.portolan.backend.iptables.TextWalker.Walker;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.packets.Endpoints;
import dev.portolan.packets.Judge;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Judges packets by walking through the printed rules; needs neither root nor a kernel. */
final class WalkerJudge implements Judge {
  private static final String OUTER = "eth0";

  @Override
  public Sitting open(PacketTable packets) {
    NodeImage image = packets.decision().image();
    Map<IpFamily, TextWalker> walkers = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      walkers.put(
          family, new TextWalker(IptablesText.render(image, family, IptablesOptions.DEFAULT)));
    }
    return packet -> judge(Objects.requireNonNull(walkers.get(packet.family())), packet);
  }

  private static Outcome judge(TextWalker rules, Packet packet) {
    boolean own = Actor.isOfNode(packet.source());
    String from = own ? "" : Actor.PODS_A.contains(packet.from()) ? Actor.POD_BRIDGE : OUTER;
    Walker start =
        new Walker(
            packet.source(),
            packet.address(),
            packet.port(),
            packet.protocol(),
            from,
            "NEW",
            0,
            Optional.empty(),
            false);
    List<Arrival> arrivals = new ArrayList<>();
    for (Arrival routed : rules.pass(Chains.NAT, own ? "OUTPUT" : "PREROUTING", start)) {
      arrivals.addAll(filter(rules, own, routed.walker()));
    }
    return outcome(arrivals, packet);
  }

  private static List<Arrival> filter(TextWalker rules, boolean own, Walker walker) {
    boolean here = Actor.isOfNode(walker.destination());
    List<Arrival> arrivals = new ArrayList<>();
    for (Arrival first :
        rules.pass(Chains.FILTER, own ? "OUTPUT" : here ? "INPUT" : "FORWARD", walker)) {
      // What the node sends to itself leaves, and comes in again.
      List<Arrival> next =
          own && here && isOnItsWay(first)
              ? rules.pass(Chains.FILTER, "INPUT", first.walker())
              : List.of(first);
      for (Arrival arrival : next) {
        arrivals.addAll(
            isOnItsWay(arrival) && !here ? leave(rules, own, arrival.walker()) : List.of(arrival));
      }
    }
    return arrivals;
  }

  /**
   * Out of the node. Between two ends that are both outside only one direction passes it: the third
   * packet of TCP then fits no connection that the node knows.
   */
  private static List<Arrival> leave(TextWalker rules, boolean own, Walker walker) {
    boolean oneWay =
        !own
            && walker.protocol() == Protocol.TCP
            && walker.from().equals(OUTER)
            && walker.sentTo().isEmpty();
    if (oneWay) {
      List<Arrival> third = rules.pass(Chains.FILTER, "FORWARD", walker.in("INVALID"));
      if (!third.stream().allMatch(WalkerJudge::isOnItsWay)) {
        return third;
      }
    }
    return rules.pass(Chains.NAT, "POSTROUTING", walker);
  }

  private static boolean isOnItsWay(Arrival arrival) {
    return arrival.end() != End.DROPPED && arrival.end() != End.REJECTED;
  }

  private static Outcome outcome(List<Arrival> arrivals, Packet packet) {
    Map<String, Boolean> endpoints = new TreeMap<>();
    for (Arrival arrival : arrivals) {
      Optional<Endpoint> sentTo = arrival.walker().sentTo();
      if (!isOnItsWay(arrival) || sentTo.isEmpty()) {
        Verdict verdict =
            switch (arrival.end()) {
              case DROPPED -> Verdict.DROP;
              case REJECTED -> Verdict.REJECT;
              case GOES_ON, SENT, ACCEPTED -> Verdict.NONE;
            };
        return arrivals.stream().allMatch(other -> other.end() == arrival.end())
            ? Outcome.ended(verdict)
            : Outcome.strange("not all ways end alike: " + arrivals);
      }
      String name = Endpoints.name(sentTo.get().address(), sentTo.get().port());
      endpoints.merge(name, arrival.walker().masqueraded(), Boolean::logicalOr);
    }
    return Outcome.forwarded(endpoints, packet.expected().sticky());
  }
}
