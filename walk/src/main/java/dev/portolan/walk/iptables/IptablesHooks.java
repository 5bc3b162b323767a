package dev.portolan.walk.iptables;

import java.util.ArrayList;
import java.util.List;

/** The places at which the kernel shows packets to the tables of one family, in its order. */
public final class IptablesHooks {
  private final SavedTables tables;
  private final HostNetwork host;

  IptablesHooks(SavedTables tables, HostNetwork host) {
    this.tables = tables;
    this.host = host;
  }

  /** All ways of a first packet, to where it leaves the rules or is ended by one. */
  List<Journey> walk(PacketState packet) {
    Journey start = Journey.of(packet);
    return packet.first().isFromNode() ? sent(start) : arriving(start);
  }

  private List<Journey> arriving(Journey start) {
    List<Journey> ways = new ArrayList<>();
    for (Journey routed : prerouting(start)) {
      ways.addAll(
          host.isLocal(routed.packet().destination()) ? input(routed) : forward(routed));
    }
    return ways;
  }

  /** A packet before the kernel decides where it goes. */
  public List<Journey> prerouting(Journey start) {
    return pass("nat", "PREROUTING", pass(start, "PREROUTING", "raw", "mangle"));
  }

  /** A packet for this host itself. */
  public List<Journey> input(Journey start) {
    return pass("nat", "INPUT", filtered(start));
  }

  /** The same without translation, which happens once to a connection. */
  public List<Journey> filtered(Journey start) {
    return pass(start, "INPUT", "mangle", "filter", "security");
  }

  private List<Journey> forward(Journey start) {
    Journey leaving = leaving(start, start.packet().in());
    return postrouting(pass(leaving, "FORWARD", "mangle", "filter", "security"));
  }

  /** A packet that a process of this host sends. */
  private List<Journey> sent(Journey start) {
    List<Journey> ways = new ArrayList<>();
    for (Journey way : postrouting(output(start))) {
      // What the host sends to itself comes in again.
      ways.addAll(
          host.isLocal(way.packet().destination()) ? cameBack(way) : List.of(way));
    }
    return ways;
  }

  private List<Journey> cameBack(Journey way) {
    Journey again = way.with(way.packet().through("lo", ""));
    List<Journey> ways = new ArrayList<>();
    for (Journey each : pass(again, "PREROUTING", "raw", "mangle")) {
      ways.addAll(filtered(each));
    }
    return ways;
  }

  /** What leaves from here, before it has left. */
  public List<Journey> output(Journey start) {
    List<Journey> ways = new ArrayList<>();
    for (Journey way : translatedOutput(start)) {
      ways.addAll(pass(leaving(way, ""), "OUTPUT", "filter", "security"));
    }
    return ways;
  }

  /** What leaves from here, up to where its destination is changed. */
  public List<Journey> translatedOutput(Journey start) {
    return pass("nat", "OUTPUT", pass(leaving(start, ""), "OUTPUT", "raw", "mangle"));
  }

  /** The last that packets meet that leave this host. */
  public List<Journey> postrouting(List<Journey> leaving) {
    List<Journey> ways = new ArrayList<>();
    for (Journey way : leaving) {
      Journey out = way.with(way.packet().through("", way.packet().out()));
      ways.addAll(pass("nat", "POSTROUTING", pass(out, "POSTROUTING", "mangle")));
    }
    return ways;
  }

  private Journey leaving(Journey journey, String in) {
    PacketState packet = journey.packet();
    return journey.with(packet.through(in, host.outgoing(packet.destination())));
  }

  private List<Journey> pass(Journey start, String chain, String... names) {
    List<Journey> ways = List.of(start);
    for (String table : names) {
      ways = pass(table, chain, ways);
    }
    return ways;
  }

  private List<Journey> pass(String table, String chain, List<Journey> ways) {
    if (tables.chain(table, chain).isEmpty()) {
      return ways;
    }
    List<Journey> passed = new ArrayList<>();
    for (Journey way : ways) {
      boolean skipped = table.equals("nat") && way.packet().untracked();
      passed.addAll(skipped ? List.of(way) : ChainWalk.pass(tables, host, table, chain, way));
    }
    return passed;
  }
}
