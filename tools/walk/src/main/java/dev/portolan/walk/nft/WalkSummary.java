package dev.portolan.walk.nft;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import dev.portolan.walk.nft.ChainExits.Arrival;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Puts the ends of all ways of a packet together. */
final class WalkSummary {
  private WalkSummary() {}

  private record Endpoint(Ip address, int port, boolean masquerade, boolean remembered)
      implements Comparable<Endpoint> {
    private static final Comparator<Endpoint> ORDER =
        Comparator.comparing(Endpoint::address)
            .thenComparingInt(Endpoint::port)
            .thenComparing(Endpoint::masquerade)
            .thenComparing(Endpoint::remembered);

    @Override
    public int compareTo(Endpoint other) {
      return ORDER.compare(this, other);
    }
  }

  static WalkResult of(List<Arrival> arrivals, Journal journal) {
    Map<Verdict, Double> shares = new EnumMap<>(Verdict.class);
    Map<Endpoint, Double> endpoints = new TreeMap<>();
    for (Arrival arrival : arrivals) {
      shares.merge(verdict(arrival), arrival.lane().share(), Double::sum);
      if (verdict(arrival) == Verdict.FORWARD) {
        endpoints.merge(endpoint(arrival, journal), arrival.lane().share(), Double::sum);
      }
    }
    Verdict verdict =
        shares.isEmpty()
            ? Verdict.NONE
            : Collections.max(shares.entrySet(), Map.Entry.comparingByValue()).getKey();
    Set<String> remarks = new LinkedHashSet<>(journal.remarks());
    if (shares.size() > 1) {
      remarks.add("it depends on chance: " + percentages(shares));
    }
    List<Way> ways = new ArrayList<>();
    if (verdict == Verdict.FORWARD) {
      endpoints.forEach((to, share) ->
          ways.add(new Way(to.address, to.port, to.masquerade, share, to.remembered)));
    }
    return new WalkResult(
        verdict,
        ways,
        arrivals.stream()
            .filter(arrival -> verdict(arrival) == verdict)
            .findFirst()
            .map(arrival -> arrival.lane().trail().steps())
            .orElse(List.of()),
        String.join("; ", remarks));
  }

  private static Verdict verdict(Arrival arrival) {
    return switch (arrival.end()) {
      case DROPPED -> Verdict.DROP;
      case REJECTED -> Verdict.REJECT;
      case ACCEPTED -> arrival.lane().state().sent() ? Verdict.FORWARD : Verdict.NONE;
    };
  }

  private static Endpoint endpoint(Arrival arrival, Journal journal) {
    PacketState state = arrival.lane().state();
    String name = state.destination().withPort(state.port());
    return new Endpoint(
        state.destination(),
        state.port(),
        state.masqueraded(),
        state.remembered().stream().anyMatch(set -> journal.isRemembered(set, name)));
  }

  private static String percentages(Map<Verdict, Double> shares) {
    return shares.entrySet().stream()
        .map(entry ->
            String.format(Locale.ROOT, "%s %.1f %%", entry.getKey(), entry.getValue() * 100))
        .collect(Collectors.joining(", "));
  }
}
