package dev.portolan.walk.nft;

import dev.portolan.nftables.Hook;
import dev.portolan.walk.HookedRules;
import dev.portolan.walk.Journey;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.WalkStep;
import dev.portolan.walk.WalkedPacket;
import dev.portolan.walk.nft.ChainExits.Arrival;
import dev.portolan.walk.nft.ChainExits.End;
import dev.portolan.walk.nft.PacketState.Ends;
import dev.portolan.walk.nft.PacketState.Tracking;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Rules of nftables hook by hook, for what comes between them. */
final class NftHooks implements HookedRules {
  /** Where IPVS takes packets that the node itself sends, right after destinations are changed. */
  private static final int IPVS = -98;

  private final Map<Hook.Point, HookStages> hooks;
  private final Map<Hook.Point, HookStages> before;
  private final Map<Hook.Point, HookStages> after;
  private final NodeNetwork network;

  NftHooks(Map<Hook.Point, HookStages> hooks, NodeNetwork network) {
    this.hooks = hooks;
    this.network = network;
    HookStages output = hooks.getOrDefault(Hook.Point.OUTPUT, new HookStages(List.of()));
    before = new EnumMap<>(Map.of(Hook.Point.OUTPUT, output.part(IPVS, true)));
    after = new EnumMap<>(Map.of(Hook.Point.OUTPUT, output.part(IPVS, false)));
  }

  @Override
  public List<Journey> prerouting(Journey start) {
    return pass(start, hooks, new HookPassage(Hook.Point.PREROUTING, start.packet().in(), ""));
  }

  @Override
  public List<Journey> input(Journey start) {
    return pass(start, hooks, new HookPassage(Hook.Point.INPUT, start.packet().in(), ""));
  }

  @Override
  public List<Journey> forward(Journey start) {
    WalkedPacket packet = start.packet();
    return pass(start, hooks, new HookPassage(Hook.Point.FORWARD, packet.in(), out(packet)));
  }

  @Override
  public List<Journey> output(Journey start) {
    return pass(start, before, new HookPassage(Hook.Point.OUTPUT, "", out(start.packet())));
  }

  @Override
  public List<Journey> filteredOutput(Journey start) {
    return pass(start, after, new HookPassage(Hook.Point.OUTPUT, "", out(start.packet())));
  }

  @Override
  public List<Journey> postrouting(Journey start) {
    return pass(start, hooks, new HookPassage(Hook.Point.POSTROUTING, "", out(start.packet())));
  }

  private String out(WalkedPacket packet) {
    return network.outgoing(packet.destination());
  }

  private List<Journey> pass(Journey start, Map<Hook.Point, HookStages> at, HookPassage passage) {
    PacketJourney walk = new PacketJourney(at, network, start.packet().first());
    Lane lane = new Lane(state(start.packet(), passage), 1, Trail.START, null);
    List<Journey> ways = new ArrayList<>();
    for (Lane passed : walk.pass(List.of(lane), passage)) {
      ways.add(journey(start, passed));
    }
    for (Arrival arrival : walk.arrivals()) {
      Journey ended = journey(start, arrival.lane());
      ways.add(arrival.end() == End.DROPPED ? ended.dropped() : ended.rejected());
    }
    for (String remark : walk.journal().remarks()) {
      ways.replaceAll(way -> way.remarked(remark));
    }
    return ways;
  }

  private static PacketState state(WalkedPacket packet, HookPassage passage) {
    boolean first = passage.changesDestinations();
    return new PacketState(
        packet.source(),
        packet.first().sourcePort(),
        packet.destination(),
        packet.port(),
        packet.first().protocol(),
        packet.mark(),
        packet.connectionMark(),
        packet.untracked() ? Tracking.NEVER : first ? Tracking.NOT_YET : Tracking.TRACKED,
        new Ends(packet.concealed(), packet.translated() || !first),
        new Ends(packet.concealed(), packet.translated()),
        packet.translated(),
        packet.concealed(),
        List.of());
  }

  private static Journey journey(Journey start, Lane lane) {
    PacketState state = lane.state();
    WalkedPacket packet =
        start.packet().marked(state.mark()).connectionMarked(state.connectionMark());
    if (state.sent() && !start.packet().translated()) {
      packet = packet.sentTo(state.destination(), state.port());
    }
    if (state.masqueraded()) {
      packet = packet.masqueraded();
    }
    if (state.tracking() == Tracking.NEVER) {
      packet = packet.withoutTracking();
    }
    Journey way = start.part(lane.share()).with(packet);
    for (WalkStep step : lane.trail().steps()) {
      way = way.met(step);
    }
    return way;
  }
}
