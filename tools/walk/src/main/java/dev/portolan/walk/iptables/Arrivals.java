package dev.portolan.walk.iptables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.Journey;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import dev.portolan.walk.WalkedPacket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Puts the ways of one packet together. */
public final class Arrivals {
  private static final double NEARLY_ALL = 0.999999;

  private Arrivals() {}

  private record Place(Ip address, int port, boolean masquerade) {}

  /**
   * What becomes of a packet.
   *
   * @param ways all ways that it may go
   * @param again the ways of a packet whose source is in a list of {@code -m recent}
   * @param remarks what else to report
   */
  public static WalkResult result(
      List<Journey> ways, Function<String, List<Journey>> again, Set<String> remarks) {
    Map<Verdict, Double> verdicts = new EnumMap<>(Verdict.class);
    Map<Place, List<Journey>> places = new LinkedHashMap<>();
    Set<String> said = new LinkedHashSet<>(remarks);
    for (Journey way : ways) {
      said.addAll(way.remarks());
      Verdict verdict = verdict(way);
      verdicts.merge(verdict, way.share(), Double::sum);
      if (verdict == Verdict.FORWARD) {
        places.computeIfAbsent(place(way), key -> new ArrayList<>()).add(way);
      }
    }
    if (verdicts.size() > 1) {
      said.add("connections end differently: " + shares(verdicts));
    }
    List<Way> forwarded = new ArrayList<>();
    places.forEach((place, journeys) ->
        forwarded.add(
            new Way(
                place.address,
                place.port,
                place.masquerade,
                journeys.stream().mapToDouble(Journey::share).sum(),
                journeys.stream().allMatch(it -> isRemembered(place, it, again)))));
    Verdict verdict =
        verdicts.containsKey(Verdict.FORWARD) || verdicts.isEmpty()
            ? Verdict.FORWARD
            : verdicts.keySet().iterator().next();
    return new WalkResult(
        verdict,
        forwarded,
        ways.isEmpty() ? List.of() : ways.getFirst().steps(),
        String.join("; ", said));
  }

  private static Verdict verdict(Journey way) {
    return switch (way.end()) {
      case DROPPED -> Verdict.DROP;
      case REJECTED -> Verdict.REJECT;
      case GOES_ON -> way.packet().translated() ? Verdict.FORWARD : Verdict.NONE;
    };
  }

  private static Place place(Journey way) {
    WalkedPacket packet = way.packet();
    return new Place(packet.destination(), packet.port(), packet.concealed());
  }

  /** Whether one of the lists that the client was put into leads it to the same place again. */
  private static boolean isRemembered(
      Place place, Journey way, Function<String, List<Journey>> again) {
    return way.kept()
        || way.lists().stream()
            .anyMatch(list ->
                again.apply(list).stream()
                        .filter(it -> verdict(it) == Verdict.FORWARD && place(it).equals(place))
                        .mapToDouble(Journey::share)
                        .sum()
                    >= NEARLY_ALL);
  }

  private static String shares(Map<Verdict, Double> verdicts) {
    return verdicts.entrySet().stream()
        .map(it -> String.format(Locale.ROOT, "%.0f %% %s", 100 * it.getValue(), it.getKey()))
        .collect(Collectors.joining(", "));
  }
}
