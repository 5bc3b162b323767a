package dev.portolan.audit;

import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.audit.ExpectedOutcome.Goal;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Compares what becomes of a packet with what was decided for it, in words. */
final class OutcomeText {
  private static final double TOLERANCE = 0.002;

  /** How far the shares of a table of slots may be off. */
  private static final double HASH_TOLERANCE = 0.05;

  private static final int MOST_NAMED = 3;

  /** What remarks about rules say that are of a kind that no walk knows. */
  private static final String NOT_UNDERSTOOD = "understood";

  /** In what they differ. */
  record Deviation(Kind kind, String text) {}

  private OutcomeText() {}

  /** What differs; empty where nothing does. */
  static Optional<Deviation> compare(ExpectedOutcome expected, WalkResult found) {
    if (found.remark().contains(NOT_UNDERSTOOD)) {
      return Optional.of(new Deviation(Kind.UNREADABLE, found.remark()));
    }
    if (!found.remark().isEmpty()) {
      return Optional.of(
          new Deviation(
              Kind.DIFFERENT, found.remark() + "; the kernel should " + shouldDo(expected)));
    }
    if (expected.verdict() != found.verdict()) {
      Kind kind =
          found.verdict() == Verdict.NONE
              ? Kind.MISSING
              : expected.verdict() == Verdict.NONE ? Kind.STALE : Kind.DIFFERENT;
      return Optional.of(
          new Deviation(kind, "the kernel " + does(found) + ", and should " + shouldDo(expected)));
    }
    List<String> differences = new ArrayList<>();
    if (found.verdict() == Verdict.FORWARD) {
      compareEndpoints(expected, found, differences);
    }
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(new Deviation(Kind.DIFFERENT, String.join("; ", differences)));
  }

  private static void compareEndpoints(
      ExpectedOutcome expected, WalkResult found, List<String> differences) {
    Map<EndpointKey, List<Way>> ways = ways(found);
    List<EndpointKey> missing =
        expected.goals().keySet().stream().filter(key -> !ways.containsKey(key)).sorted().toList();
    List<EndpointKey> surplus =
        ways.keySet().stream().filter(key -> !expected.goals().containsKey(key)).toList();
    if (!surplus.isEmpty()) {
      differences.add(
          (surplus.size() < ways.size() ? "the kernel also sends to " : "the kernel sends to ")
              + names(surplus)
              + (surplus.size() == 1 ? ", which is not an endpoint" : ", which are not endpoints"));
    }
    if (!missing.isEmpty()) {
      differences.add(
          names(missing)
              + (missing.size() == 1 ? " is" : " are")
              + " missing"
              + (surplus.isEmpty()
                  ? "; the kernel sends to " + names(ways.keySet()) + " only"
                  : ""));
    }
    List<EndpointKey> hidden = new ArrayList<>();
    List<EndpointKey> shown = new ArrayList<>();
    List<EndpointKey> forgotten = new ArrayList<>();
    List<EndpointKey> remembered = new ArrayList<>();
    ways.forEach((key, some) -> {
      Goal goal = expected.goals().get(key);
      for (Way way : some) {
        if (goal != null && goal.masquerade().filter(it -> it != way.masquerade()).isPresent()) {
          (way.masquerade() ? hidden : shown).add(key);
        }
        if (way.remembered() != expected.affinity()) {
          (way.remembered() ? remembered : forgotten).add(key);
        }
      }
    });
    add(differences, "connections to ", hidden, " are masqueraded, and should not be");
    add(differences, "connections to ", shown, " are not masqueraded, and should be");
    add(differences, "clients do not stay with ", forgotten, ", and should: session affinity");
    add(differences, "clients stay with ", remembered, ", and should not: no session affinity");
    if (missing.isEmpty() && surplus.isEmpty()) {
      compareShares(expected, ways, differences);
    }
  }

  private static void compareShares(
      ExpectedOutcome expected, Map<EndpointKey, List<Way>> ways, List<String> differences) {
    double tolerance = expected.exact() ? TOLERANCE : HASH_TOLERANCE;
    ways.forEach((key, some) -> {
      double share = some.stream().mapToDouble(Way::share).sum();
      double wanted = Objects.requireNonNull(expected.goals().get(key)).share();
      if (Math.abs(share - wanted) > tolerance) {
        differences.add(
            key + " gets " + percent(share) + " of new connections in place of " + percent(wanted));
      }
    });
  }

  private static void add(
      List<String> differences, String before, List<EndpointKey> keys, String after) {
    if (!keys.isEmpty()) {
      differences.add(before + names(keys.stream().distinct().toList()) + after);
    }
  }

  private static Map<EndpointKey, List<Way>> ways(WalkResult found) {
    Map<EndpointKey, List<Way>> ways = new TreeMap<>();
    for (Way way : found.ways()) {
      ways.computeIfAbsent(new EndpointKey(way.address(), way.port()), _ -> new ArrayList<>())
          .add(way);
    }
    return ways;
  }

  private static String does(WalkResult found) {
    return switch (found.verdict()) {
      case FORWARD -> "sends it to " + names(ways(found).keySet());
      case REJECT -> "rejects it";
      case DROP -> "drops it";
      case NONE -> "has no rule for it";
    };
  }

  private static String shouldDo(ExpectedOutcome expected) {
    return switch (expected.verdict()) {
      case FORWARD -> "send it to " + names(expected.goals().keySet().stream().sorted().toList());
      case REJECT -> "reject it";
      case DROP -> "drop it";
      case NONE -> "leave it alone";
    };
  }

  private static String names(Collection<EndpointKey> keys) {
    List<String> some = keys.stream().limit(MOST_NAMED).map(EndpointKey::toString).toList();
    return String.join(", ", some)
        + (keys.size() > MOST_NAMED ? " and " + (keys.size() - MOST_NAMED) + " more" : "");
  }

  private static String percent(double share) {
    return Math.round(share * 1000) / 10.0 + " %";
  }
}
