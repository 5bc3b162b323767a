package dev.portolan.walk.nft;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the ways through a chain, or through one of its rules, lead. */
final class ChainExits {
  /** How a packet's way ends. */
  enum End {
    ACCEPTED,
    DROPPED,
    REJECTED
  }

  /** A packet at the end of one of its ways. */
  record Arrival(Lane lane, End end) {}

  private final List<Arrival> arrivals = new ArrayList<>();

  /** To the chain that called this one. */
  private final List<Lane> returning = new ArrayList<>();

  /** To the next rule. */
  private List<Lane> going = new ArrayList<>();

  void end(Lane lane, End end) {
    arrivals.add(new Arrival(lane, end));
  }

  void goBack(Lane lane) {
    add(returning, lane);
  }

  void goOn(Lane lane) {
    add(going, lane);
  }

  /** Draws that change nothing make many equal ways, one after the other. */
  @SuppressWarnings("ReferenceEquality") // others are found when ways are merged
  private static void add(List<Lane> lanes, Lane lane) {
    if (!lanes.isEmpty()) {
      Lane last = lanes.getLast();
      if (last.state() == lane.state() && isSame(last.supposing(), lane.supposing())) {
        lanes.set(lanes.size() - 1, last.plus(lane.share()));
        return;
      }
    }
    lanes.add(lane);
  }

  /** Which part of {@code lane} has ended in each way since there were {@code before} ends. */
  double[] partsSince(int before, Lane lane) {
    return arrivals.subList(before, arrivals.size()).stream()
        .mapToDouble(arrival -> lane.share() == 0 ? 0 : arrival.lane().share() / lane.share())
        .toArray();
  }

  /** The same parts of {@code lane} end in the same ways once more; returns the rest of it. */
  Lane repeat(double[] parts, Lane lane) {
    int first = arrivals.size() - parts.length;
    double rest = 1;
    for (int i = 0; i < parts.length; i++) {
      Arrival arrival = arrivals.get(first + i);
      double more = lane.share() * parts[i];
      arrivals.set(first + i, new Arrival(arrival.lane().plus(more), arrival.end()));
      rest -= parts[i];
    }
    return lane.part(rest);
  }

  List<Arrival> arrivals() {
    return arrivals;
  }

  List<Lane> returning() {
    return merge(returning);
  }

  /** Takes what goes on to the next rule; equal ways become one. */
  List<Lane> takeGoing() {
    List<Lane> taken = going;
    going = new ArrayList<>();
    return merge(taken);
  }

  private record Sameness(PacketState state, @Nullable String supposing) {
    @Override
    public int hashCode() {
      return state.hashCode();
    }
  }

  /** One way for all that are equal, in the order of the first of each. */
  static List<Lane> merge(List<Lane> lanes) {
    if (lanes.size() < 2) {
      return lanes;
    }
    Map<Sameness, Lane> merged = new LinkedHashMap<>();
    for (Lane lane : lanes) {
      merged.merge(
          new Sameness(lane.state(), lane.supposing()),
          lane,
          (one, other) -> one.plus(other.share()));
    }
    return new ArrayList<>(merged.values());
  }

  private static boolean isSame(@Nullable String one, @Nullable String other) {
    return one == null ? other == null : one.equals(other);
  }
}
