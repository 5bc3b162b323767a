package dev.portolan.walk.iptables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.walk.Journey;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.WalkStep;
import dev.portolan.walk.WalkedPacket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The way of a packet through one of the kernel's own chains and those that it leads to. Where a
 * rule draws at random, both ways are walked.
 */
final class ChainWalk {
  /** The kernel has no loops; a text may. */
  private static final int DEEPEST = 100;

  private final SavedTables tables;
  private final NodeNetwork network;
  private final RuleChain base;
  private final List<Journey> arrived = new ArrayList<>();
  private final Deque<Branch> open = new ArrayDeque<>();

  /**
   * Where a packet is: before rule {@code next} of a chain that {@code caller} jumped to.
   *
   * @param jump the trail up to the jump, which is forgotten if nothing happens in the chain
   */
  private record Frame(
      RuleChain chain, int next, @Nullable Frame caller, Journey.@Nullable Trail jump, int depth) {
    Frame from(int place) {
      return new Frame(chain, place, caller, jump, depth);
    }
  }

  private record Branch(Journey journey, Frame frame) {}

  private ChainWalk(SavedTables tables, NodeNetwork network, RuleChain base) {
    this.tables = tables;
    this.network = network;
    this.base = base;
  }

  /** All ways of {@code journey} through {@code base}, one of the kernel's own chains. */
  static List<Journey> pass(
      SavedTables tables, NodeNetwork network, RuleChain base, Journey journey) {
    ChainWalk walk = new ChainWalk(tables, network, base);
    walk.open.push(new Branch(journey, new Frame(base, 0, null, null, 0)));
    while (!walk.open.isEmpty()) {
      walk.follow(walk.open.pop());
    }
    return walk.arrived;
  }

  private void follow(Branch start) {
    Journey journey = start.journey;
    Frame frame = start.frame;
    while (true) {
      IptablesRule rule = frame.chain.next(frame.next, journey.packet());
      if (rule == null) {
        Frame caller = back(journey, frame);
        if (caller == null) {
          return;
        }
        journey = withoutIdleJump(journey, frame);
        frame = caller;
        continue;
      }
      frame = frame.from(rule.number());
      double chance = rule.chance(journey.packet());
      if (chance == 0) {
        continue;
      }
      if (!rule.unknown().isEmpty()) {
        journey = journey.remarked(cannotUnderstand(frame.chain, rule));
        continue;
      }
      if (chance < 1) {
        open.push(new Branch(journey.part(1 - chance), frame));
        journey = journey.part(chance);
      }
      Branch next =
          obey(rule, rule.lists().isEmpty() ? journey : journey.listed(rule.lists()), frame);
      if (next == null) {
        return;
      }
      journey = next.journey;
      frame = next.frame;
    }
  }

  private static String cannotUnderstand(RuleChain chain, IptablesRule rule) {
    return "rule %d of chain %s in table %s cannot be understood: %s"
        .formatted(rule.number(), chain.name(), chain.table(), rule.unknown());
  }

  /** Does what the rule says; null where the walk through this table is at its end. */
  private @Nullable Branch obey(IptablesRule rule, Journey journey, Frame frame) {
    WalkedPacket packet = journey.packet();
    return switch (rule.target()) {
      case RuleTarget.Pass() -> new Branch(journey, frame);
      case RuleTarget.End end -> end(end, rule, journey, frame);
      case RuleTarget.ToChain(String name, boolean forGood) ->
          jump(name, forGood, rule, journey, frame);
      case RuleTarget.Mark(int keep, int flip) -> {
        int mark = (packet.mark() & keep) ^ flip;
        yield new Branch(
            met(journey, frame, rule, "mark 0x" + Integer.toHexString(mark))
                .with(packet.marked(mark)),
            frame);
      }
      case RuleTarget.ConnectionMark(int keep, int flip) ->
          new Branch(
              journey.with(packet.connectionMarked((packet.connectionMark() & keep) ^ flip)),
              frame);
      case RuleTarget.SaveMark(int packetMask, int connectionMask) ->
          new Branch(
              journey.with(
                  packet.connectionMarked(
                      (packet.connectionMark() & ~connectionMask) ^ (packet.mark() & packetMask))),
              frame);
      case RuleTarget.RestoreMark(int packetMask, int connectionMask) ->
          new Branch(
              journey.with(
                  packet.marked(
                      (packet.mark() & ~packetMask) ^ (packet.connectionMark() & connectionMask))),
              frame);
      case RuleTarget.Untrack() ->
          new Branch(
              met(journey, frame, rule, "no connection tracking").with(packet.withoutTracking()),
              frame);
      case RuleTarget.Translate(List<Ip> addresses, int port) -> {
        translate(addresses, port, rule, journey, frame);
        yield null;
      }
      case RuleTarget.Redirect(int port) -> {
        Ip here = here(packet);
        translate(List.of(here), port, rule, journey, frame);
        yield null;
      }
      case RuleTarget.Masquerade() -> {
        arrived.add(met(journey, frame, rule, "masquerade").with(packet.masqueraded()));
        yield null;
      }
      case RuleTarget.ChangeSource(List<Ip> addresses) -> {
        arrived.add(changeSource(addresses, rule, journey, frame));
        yield null;
      }
      case RuleTarget.Unknown() ->
          new Branch(journey.remarked(cannotUnderstand(frame.chain, rule)), frame);
    };
  }

  private @Nullable Branch end(
      RuleTarget.End end, IptablesRule rule, Journey journey, Frame frame) {
    switch (end) {
      case ACCEPT -> arrived.add(met(journey, frame, rule, "accept"));
      case DROP -> arrived.add(met(journey, frame, rule, "drop").dropped());
      case REJECT -> arrived.add(met(journey, frame, rule, "reject").rejected());
      case RETURN -> {
        Frame caller = back(journey, frame);
        return caller == null ? null : new Branch(withoutIdleJump(journey, frame), caller);
      }
    }
    return null;
  }

  private @Nullable Branch jump(
      String name, boolean forGood, IptablesRule rule, Journey journey, Frame frame) {
    Optional<RuleChain> chain = tables.chain(frame.chain.table(), name);
    if (chain.isEmpty() || frame.depth > DEEPEST) {
      return new Branch(
          journey.remarked(
              "rule %d of chain %s in table %s cannot be understood: %s"
                  .formatted(
                      rule.number(),
                      frame.chain.name(),
                      frame.chain.table(),
                      chain.isEmpty() ? "-j " + name : "it leads in a circle")),
          frame);
    }
    Journey inside = met(journey, frame, rule, (forGood ? "goto " : "jump ") + name);
    return new Branch(
        inside,
        new Frame(
            chain.get(),
            0,
            forGood ? frame.caller : frame,
            forGood ? null : inside.trail(),
            frame.depth + 1));
  }

  /** Where it goes on after the end of a chain; null after that of the kernel's own chain. */
  private @Nullable Frame back(Journey journey, Frame frame) {
    if (frame.caller != null) {
      return frame.caller;
    }
    arrived.add(
        base.dropsAtEnd()
            ? journey
                .met(new WalkStep(base.table() + " " + base.name(), "policy DROP", "drop"))
                .dropped()
            : journey);
    return null;
  }

  /** Forgets a jump into a chain in which nothing happened. */
  @SuppressWarnings("ReferenceEquality") // whether nothing was added is the question
  private static Journey withoutIdleJump(Journey journey, Frame frame) {
    return frame.jump != null && journey.trail() == frame.jump
        ? journey.at(frame.jump.before())
        : journey;
  }

  private void translate(
      List<Ip> addresses, int port, IptablesRule rule, Journey journey, Frame frame) {
    WalkedPacket packet = journey.packet();
    List<Ip> to = addresses.isEmpty() ? List.of(packet.destination()) : addresses;
    int number = port == 0 ? packet.port() : port;
    for (Ip address : to) {
      arrived.add(
          met(journey, frame, rule, "dnat to " + address.withPort(number))
              .part(1.0 / to.size())
              .with(packet.sentTo(address, number)));
    }
  }

  /** Where a redirected packet goes: to the interface that it came through. */
  private Ip here(WalkedPacket packet) {
    IpFamily family = packet.destination().family();
    Ip loopback = Ip.of(family == IpFamily.IPV4 ? "127.0.0.1" : "::1");
    return packet.in().isEmpty()
        ? loopback
        : network.addressOn(packet.in(), family).orElse(loopback);
  }

  private Journey changeSource(
      List<Ip> addresses, IptablesRule rule, Journey journey, Frame frame) {
    Journey changed =
        met(journey, frame, rule, "snat to " + addresses.getFirst())
            .with(journey.packet().masqueraded());
    return addresses.stream().allMatch(network::isLocal)
        ? changed
        : changed.remarked(
            "rule %d of chain %s in table %s changes the source to %s, which is not the node's"
                .formatted(
                    rule.number(), frame.chain.name(), frame.chain.table(), addresses.getFirst()));
  }

  private static Journey met(Journey journey, Frame frame, IptablesRule rule, String effect) {
    return journey.met(
        new WalkStep(
            frame.chain.table() + " " + frame.chain.name() + " " + rule.number(),
            rule.text(),
            effect));
  }
}
