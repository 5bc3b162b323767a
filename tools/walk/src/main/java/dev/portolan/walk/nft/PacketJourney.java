package dev.portolan.walk.nft;

import dev.portolan.nftables.Hook;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.nft.ChainExits.Arrival;
import dev.portolan.walk.nft.ChainExits.End;
import dev.portolan.walk.nft.HookStages.Placed;
import dev.portolan.walk.nft.HookStages.Stage;
import dev.portolan.walk.nft.PacketState.Tracking;
import dev.portolan.walk.nft.table.Waypoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The way of one packet through the hooks of a node. */
final class PacketJourney {
  private static final String LOOPBACK = "lo";

  private final Map<Hook.Point, HookStages> hooks;
  private final NodeNetwork network;
  private final FirstPacket packet;
  private final PacketFacts facts;
  private final Journal journal = new Journal();
  private final List<Arrival> arrivals = new ArrayList<>();

  PacketJourney(Map<Hook.Point, HookStages> hooks, NodeNetwork network, FirstPacket packet) {
    this.hooks = hooks;
    this.network = network;
    this.packet = packet;
    this.facts = new PacketFacts(packet, network);
  }

  /** Follows every way to its end. */
  List<Arrival> follow() {
    List<Lane> start = List.of(new Lane(PacketState.of(packet), 1, Trail.START, null));
    if (packet.arrivesThrough().isPresent()) {
      arrive(start, packet.arrivesThrough().get());
    } else {
      leave(start);
    }
    return arrivals;
  }

  /** The ways that have ended so far. */
  List<Arrival> arrivals() {
    return arrivals;
  }

  /** What was found out on the way. */
  Journal journal() {
    return journal;
  }

  private void arrive(List<Lane> lanes, String in) {
    List<Lane> here = new ArrayList<>();
    List<Lane> passing = new ArrayList<>();
    for (Lane lane : pass(lanes, new HookPassage(Hook.Point.PREROUTING, in, ""))) {
      (network.isLocal(lane.state().destination()) ? here : passing).add(lane);
    }
    pass(here, new HookPassage(Hook.Point.INPUT, in, "")).forEach(this::accept);
    for (Lane lane : passing) {
      String out = linkTo(lane);
      List<Lane> forwarded = pass(List.of(lane), new HookPassage(Hook.Point.FORWARD, in, out));
      pass(forwarded, new HookPassage(Hook.Point.POSTROUTING, in, out)).forEach(this::accept);
    }
  }

  /** What a node sends to itself leaves and comes back through the loopback interface. */
  private void leave(List<Lane> lanes) {
    String out = linkTo(lanes.getFirst());
    for (Lane lane : pass(lanes, new HookPassage(Hook.Point.OUTPUT, "", out))) {
      // The kernel routes again after a change of the destination.
      HookPassage last = new HookPassage(Hook.Point.POSTROUTING, "", linkTo(lane));
      List<Lane> sent = pass(List.of(lane), last);
      if (network.isLocal(lane.state().destination())) {
        List<Lane> back = pass(sent, new HookPassage(Hook.Point.PREROUTING, LOOPBACK, ""));
        pass(back, new HookPassage(Hook.Point.INPUT, LOOPBACK, "")).forEach(this::accept);
      } else {
        sent.forEach(this::accept);
      }
    }
  }

  private void accept(Lane lane) {
    arrivals.add(new Arrival(lane, End.ACCEPTED));
  }

  private String linkTo(Lane lane) {
    return network.outgoing(lane.state().destination());
  }

  /** The ways that leave a hook again; those that end there are noted. */
  List<Lane> pass(List<Lane> start, HookPassage passage) {
    List<Lane> lanes = start;
    HookStages stages = hooks.getOrDefault(passage.point(), new HookStages(List.of()));
    for (Stage stage : stages.stages()) {
      lanes =
          switch (stage) {
            case Stage.Track() -> lanes.stream().map(PacketJourney::track).toList();
            case Stage.Filter(Placed chain) -> filter(chain, lanes, passage);
            case Stage.Nat(List<Placed> chains) -> translate(chains, lanes, passage);
          };
    }
    return lanes;
  }

  private static Lane track(Lane lane) {
    return lane.state().tracking() == Tracking.NOT_YET
        ? lane.with(lane.state().tracking(Tracking.TRACKED))
        : lane;
  }

  private List<Lane> filter(Placed chain, List<Lane> lanes, HookPassage passage) {
    List<Lane> passed = new ArrayList<>();
    for (Lane lane : lanes) {
      passed.addAll(through(chain, lane, passage));
    }
    return ChainExits.merge(passed);
  }

  /** Each chain is asked until one has changed the end that is changed here. */
  private List<Lane> translate(List<Placed> chains, List<Lane> lanes, HookPassage passage) {
    List<Lane> done = new ArrayList<>();
    List<Lane> open = new ArrayList<>();
    lanes.forEach(lane -> (isOpen(lane, passage) ? open : done).add(lane));
    for (Placed chain : chains) {
      List<Lane> asked = List.copyOf(open);
      open.clear();
      for (Lane lane : asked) {
        through(chain, lane, passage)
            .forEach(passed -> (isOpen(passed, passage) ? open : done).add(passed));
      }
    }
    open.forEach(lane -> done.add(lane.with(settle(lane.state(), passage))));
    return ChainExits.merge(done);
  }

  private static boolean isOpen(Lane lane, HookPassage passage) {
    PacketState state = lane.state();
    boolean settled =
        passage.changesDestinations() ? state.settled().destination() : state.settled().source();
    return !settled && state.tracking() == Tracking.TRACKED;
  }

  private static PacketState settle(PacketState state, HookPassage passage) {
    return state.settle(
        passage.changesDestinations()
            ? state.settled().withDestination()
            : state.settled().withSource());
  }

  private List<Lane> through(Placed placed, Lane lane, HookPassage passage) {
    ChainExits exits =
        new RuleMachine(placed.table(), facts, passage, journal).run(placed.chain(), lane);
    List<Lane> passed = new ArrayList<>();
    for (Arrival arrival : exits.arrivals()) {
      if (arrival.lane().supposing() != null) {
        continue;
      }
      if (arrival.end() == End.ACCEPTED) {
        passed.add(arrival.lane());
      } else {
        arrivals.add(arrival);
      }
    }
    for (Lane returned : exits.returning()) {
      if (returned.supposing() != null) {
        continue;
      }
      if (placed.base().drops()) {
        Waypoint policy =
            new Waypoint.Policy(placed.table().name() + " " + placed.chain().name(), "policy drop");
        arrivals.add(new Arrival(returned.after(policy, "drop"), End.DROPPED));
      } else {
        passed.add(returned);
      }
    }
    return ChainExits.merge(passed);
  }
}
