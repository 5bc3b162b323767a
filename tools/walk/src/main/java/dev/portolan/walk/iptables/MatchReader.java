package dev.portolan.walk.iptables;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.WalkedPacket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads the conditions of one rule, option by option. */
final class MatchReader {
  /** Modules whose every condition is an option that is read here, or that always hold. */
  private static final Set<String> MODULES =
      Set.of(
          "comment",
          "tcp",
          "udp",
          "sctp",
          "icmp",
          "icmp6",
          "ipv6-icmp",
          "mark",
          "connmark",
          "conntrack",
          "state",
          "addrtype",
          "statistic",
          "recent",
          "set",
          "physdev",
          "multiport",
          "iprange",
          "nfacct",
          "ipvs",
          "pkttype",
          "limit",
          "hashlimit",
          "rpfilter");

  private final NodeNetwork network;
  private final List<RuleMatch> matches = new ArrayList<>();
  private final ConnectionMatches connection = new ConnectionMatches(this::add);
  private final StatefulMatches stateful;
  private Optional<Ip> destination = Optional.empty();
  private int port;
  private Optional<Protocol> protocol = Optional.empty();
  private boolean local;
  private String comment = "";

  MatchReader(NodeNetwork network, AddressSets sets) {
    this.network = network;
    this.stateful = new StatefulMatches(sets, this::add);
  }

  List<RuleMatch> matches() {
    List<RuleMatch> all = new ArrayList<>(matches);
    all.addAll(stateful.random());
    return all;
  }

  /** The lists of {@code -m recent} that the rule puts sources into. */
  List<String> lists() {
    return stateful.lists();
  }

  RuleSubject subject() {
    return new RuleSubject(destination, port, protocol, local, comment);
  }

  private void add(RuleMatch match) {
    matches.add(match);
  }

  /**
   * Reads one option with its values.
   *
   * @return whether it is understood
   * @throws IllegalArgumentException where a value is not
   */
  boolean read(String option, boolean not, Iterator<String> values) {
    return addresses(option, not, values)
        || ports(option, not, values)
        || others(option, not, values)
        || connection.read(option, not, values)
        || stateful.read(option, not, values);
  }

  private boolean addresses(String option, boolean not, Iterator<String> values) {
    switch (option) {
      case "-s", "--source" -> within(not, value(values), WalkedPacket::source);
      case "-d", "--destination" -> {
        String text = value(values);
        within(not, text, WalkedPacket::destination);
        destination = not ? destination : only(text);
      }
      case "-i", "--in-interface" -> through(not, value(values), WalkedPacket::in);
      case "-o", "--out-interface" -> through(not, value(values), WalkedPacket::out);
      case "--src-range" -> between(not, value(values), WalkedPacket::source);
      case "--dst-range" -> between(not, value(values), WalkedPacket::destination);
      case "--dst-type" -> {
        String types = value(values);
        AddressTypes.check(types);
        local = !not && types.equals("LOCAL");
        add(RuleMatch.of(not, packet -> AddressTypes.has(types, packet.destination(), network)));
      }
      case "--src-type" -> {
        String types = value(values);
        AddressTypes.check(types);
        add(RuleMatch.of(not, packet -> AddressTypes.has(types, packet.source(), network)));
      }
      case "--limit-iface-in" ->
          add(RuleMatch.of(not, packet -> network.isOn(packet.in(), packet.destination())));
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean ports(String option, boolean not, Iterator<String> values) {
    switch (option) {
      case "-p", "--protocol" -> {
        String name = value(values).toLowerCase(Locale.ROOT);
        if (!not && !name.equals("all")) {
          protocol = Protocols.named(name);
        }
        add(RuleMatch.of(not, packet -> Protocols.is(packet.protocol(), name)));
      }
      case "--dport", "--destination-port" -> {
        PortRanges ranges = PortRanges.of(value(values));
        port = not ? port : ranges.only();
        add(RuleMatch.of(not, packet -> ranges.contains(packet.port())));
      }
      case "--sport", "--source-port" -> {
        PortRanges ranges = PortRanges.of(value(values));
        add(RuleMatch.of(not, packet -> ranges.contains(packet.sourcePort())));
      }
      case "--dports" -> {
        PortRanges ranges = PortRanges.of(value(values));
        add(RuleMatch.of(not, packet -> ranges.contains(packet.port())));
      }
      case "--sports" -> {
        PortRanges ranges = PortRanges.of(value(values));
        add(RuleMatch.of(not, packet -> ranges.contains(packet.sourcePort())));
      }
      case "--ports" -> {
        PortRanges ranges = PortRanges.of(value(values));
        add(
            RuleMatch.of(
                not,
                packet -> ranges.contains(packet.port()) || ranges.contains(packet.sourcePort())));
      }
      case "--tcp-flags" -> {
        List<String> looked = List.of(value(values).split(",", -1));
        List<String> wanted = List.of(value(values).split(",", -1));
        // The first packet of a connection has the flag SYN alone.
        boolean syn = looked.contains("SYN") || looked.contains("ALL");
        boolean holds = wanted.equals(syn ? List.of("SYN") : List.of("NONE"));
        add(RuleMatch.of(not, packet -> holds));
      }
      case "--syn" -> add(RuleMatch.of(not, packet -> true));
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean others(String option, boolean not, Iterator<String> values) {
    switch (option) {
      case "-m", "--match" -> {
        String module = value(values);
        stateful.ofConnection(module.equals("connmark"));
        return MODULES.contains(module);
      }
      case "--comment" -> comment = Protocols.unquoted(value(values));
      case "--mark" -> stateful.mark(not, PacketMark.of(value(values)), matches);
      // Routed packets did not come through a port of a bridge, as far as iptables can see.
      case "--physdev-is-in", "--physdev-is-out", "--physdev-is-bridged" ->
          add(RuleMatch.of(not, packet -> false));
      case "--pkt-type" -> {
        boolean unicast = value(values).equals("unicast");
        add(RuleMatch.of(not, packet -> unicast));
      }
      // A first packet comes the right way, and within every limit.
      case "--invert" -> add(RuleMatch.of(true, packet -> true));
      case "--loose", "--validmark", "--accept-local" -> {}
      case "--limit", "--limit-burst", "--nfacct-name" -> value(values);
      case "--hashlimit-upto",
          "--hashlimit-burst",
          "--hashlimit-mode",
          "--hashlimit-name",
          "--hashlimit-srcmask",
          "--hashlimit-dstmask",
          "--hashlimit-htable-size",
          "--hashlimit-htable-max",
          "--hashlimit-htable-expire",
          "--hashlimit-htable-gcinterval" ->
          value(values);
      case "--hashlimit-above" -> {
        value(values);
        add(RuleMatch.of(false, packet -> false));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void within(boolean not, String text, Function<WalkedPacket, Ip> end) {
    Cidr range = Protocols.range(text);
    add(RuleMatch.of(not, packet -> range.contains(end.apply(packet))));
  }

  private static Optional<Ip> only(String text) {
    Cidr range = Protocols.range(text);
    return range.prefix() == range.family().bits() ? Optional.of(range.base()) : Optional.empty();
  }

  private void between(boolean not, String text, Function<WalkedPacket, Ip> end) {
    String[] ends = text.split("-", -1);
    Ip first = Ip.of(ends[0]);
    Ip last = Ip.of(ends[ends.length - 1]);
    add(
        RuleMatch.of(
            not,
            packet -> {
              Ip address = end.apply(packet);
              return address.family() == first.family()
                  && first.compareTo(address) <= 0
                  && address.compareTo(last) <= 0;
            }));
  }

  private void through(boolean not, String name, Function<WalkedPacket, String> end) {
    boolean prefix = name.endsWith("+");
    String start = prefix ? name.substring(0, name.length() - 1) : name;
    add(
        RuleMatch.of(
            not,
            packet -> {
              String through = end.apply(packet);
              return prefix ? through.startsWith(start) : through.equals(start);
            }));
  }

  /** The next value; says that it is missing where it is. */
  static String value(Iterator<String> values) {
    if (!values.hasNext()) {
      throw new IllegalArgumentException("a value is missing");
    }
    return values.next();
  }
}
