package dev.portolan.walk.iptables;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.walk.WalkedPacket;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

/** What connection tracking says of the first packet of a new connection. */
record ConnectionMatches(Consumer<RuleMatch> add) {
  /** Reads one option with its values; returns whether it is understood. */
  boolean read(String option, boolean not, Iterator<String> values) {
    switch (option) {
      case "--ctstate", "--state" -> {
        List<String> states = List.of(MatchReader.value(values).split(",", -1));
        add.accept(
            RuleMatch.of(
                not,
                packet ->
                    states.contains(packet.untracked() ? "UNTRACKED" : "NEW")
                        || (packet.translated() && states.contains("DNAT"))
                        || (packet.concealed() && states.contains("SNAT"))));
      }
      case "--ctstatus" -> {
        List<String> states = List.of(MatchReader.value(values).split(",", -1));
        add.accept(RuleMatch.of(not, packet -> states.contains("NONE")));
      }
      case "--ctdir" -> {
        boolean original = MatchReader.value(values).toUpperCase(Locale.ROOT).equals("ORIGINAL");
        add.accept(RuleMatch.of(not, packet -> original));
      }
      case "--ctproto" -> {
        String name = MatchReader.value(values).toLowerCase(Locale.ROOT);
        add.accept(RuleMatch.of(not, packet -> Protocols.is(packet.protocol(), name)));
      }
      case "--ctorigsrc" -> within(not, values, packet -> packet.first().source());
      case "--ctorigdst" -> within(not, values, packet -> packet.first().destination());
      // The other direction has the ends as they are now.
      case "--ctreplsrc" -> within(not, values, WalkedPacket::destination);
      case "--ctorigsrcport" -> port(not, values, WalkedPacket::sourcePort);
      case "--ctorigdstport" -> port(not, values, packet -> packet.first().port());
      case "--ctreplsrcport" -> port(not, values, WalkedPacket::port);
      // Of IPVS: what it has sent on was for this virtual server.
      case "--ipvs" -> add.accept(RuleMatch.of(not, WalkedPacket::translated));
      case "--vproto" -> {
        String name = MatchReader.value(values).toLowerCase(Locale.ROOT);
        add.accept(
            RuleMatch.of(
                not, packet -> packet.translated() && Protocols.is(packet.protocol(), name)));
      }
      case "--vaddr" -> {
        Cidr range = Protocols.range(MatchReader.value(values));
        add.accept(
            RuleMatch.of(
                not,
                packet -> packet.translated() && range.contains(packet.first().destination())));
      }
      case "--vport" -> {
        int port = Integer.parseInt(MatchReader.value(values));
        add.accept(
            RuleMatch.of(not, packet -> packet.translated() && packet.first().port() == port));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void within(boolean not, Iterator<String> values, Function<WalkedPacket, Ip> end) {
    Cidr range = Protocols.range(MatchReader.value(values));
    add.accept(
        RuleMatch.of(not, packet -> !packet.untracked() && range.contains(end.apply(packet))));
  }

  private void port(boolean not, Iterator<String> values, Function<WalkedPacket, Integer> end) {
    PortRanges ranges = PortRanges.of(MatchReader.value(values));
    add.accept(
        RuleMatch.of(not, packet -> !packet.untracked() && ranges.contains(end.apply(packet))));
  }
}
