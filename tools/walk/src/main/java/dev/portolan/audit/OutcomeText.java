package dev.portolan.audit;

import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.core.fate.Fate;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares what becomes of a packet with its fate, in words. */
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

  /**
   * What differs; empty where nothing does.
   *
   * @param own addresses of the node itself: answers of endpoints there pass the node in any case,
   *     and packets to them may not pass the rules that masquerade
   */
  static Optional<Deviation> compare(Fate wanted, WalkResult found, Collection<Ip> own) {
    List<Mismatch> mismatches =
        Mismatch.between(
            wanted.verdict(),
            wanted.shares(),
            wanted.isKept(),
            found,
            wanted.isExact() ? TOLERANCE : HASH_TOLERANCE);
    if (mismatches.isEmpty()) {
      return Optional.empty();
    }
    return switch (mismatches.getFirst()) {
      case Mismatch.Unclear(String remark) ->
          Optional.of(
              remark.contains(NOT_UNDERSTOOD)
                  ? new Deviation(Kind.UNREADABLE, remark)
                  : new Deviation(
                      Kind.DIFFERENT, remark + "; the kernel should " + shouldDo(wanted)));
      case Mismatch.OtherVerdict(Verdict should, Verdict does) ->
          Optional.of(
              new Deviation(
                  does == Verdict.NONE
                      ? Kind.MISSING
                      : should == Verdict.NONE ? Kind.STALE : Kind.DIFFERENT,
                  "the kernel " + does(found) + ", and should " + shouldDo(wanted)));
      case Mismatch.Missing _,
          Mismatch.OtherSource _,
          Mismatch.OtherShare _,
          Mismatch.Surplus _,
          Mismatch.OtherMemory _ ->
          Optional.of(new Grouped(mismatches, own).text(found))
              .filter(text -> !text.isEmpty())
              .map(text -> new Deviation(Kind.DIFFERENT, text));
    };
  }

  /** The endpoints that each kind of mismatch is about. */
  private static final class Grouped {
    private final Set<EndpointKey> missing = new TreeSet<>();
    private final Set<EndpointKey> surplus = new TreeSet<>();
    private final Set<EndpointKey> hidden = new TreeSet<>();
    private final Set<EndpointKey> shown = new TreeSet<>();
    private final Set<EndpointKey> forgotten = new TreeSet<>();
    private final Set<EndpointKey> remembered = new TreeSet<>();
    private final Map<EndpointKey, String> shares = new TreeMap<>();

    Grouped(List<Mismatch> mismatches, Collection<Ip> own) {
      for (Mismatch mismatch : mismatches) {
        switch (mismatch) {
          case Mismatch.Missing(EndpointKey key) -> missing.add(key);
          case Mismatch.Surplus(EndpointKey key) -> surplus.add(key);
          case Mismatch.OtherSource(EndpointKey key, boolean masqueraded) -> {
            if (!own.contains(key.address())) {
              (masqueraded ? hidden : shown).add(key);
            }
          }
          case Mismatch.OtherMemory(EndpointKey key, boolean kept) ->
              (kept ? remembered : forgotten).add(key);
          case Mismatch.OtherShare(EndpointKey key, double should, double does) ->
              shares.put(
                  key,
                  key
                      + " gets "
                      + percent(does)
                      + " of new connections in place of "
                      + percent(should));
          case Mismatch.Unclear _, Mismatch.OtherVerdict _ ->
              throw new IllegalStateException("no endpoint is compared then");
        }
      }
    }

    String text(WalkResult found) {
      Set<EndpointKey> ways = endpoints(found);
      List<String> differences = new ArrayList<>();
      if (!surplus.isEmpty()) {
        differences.add(
            (surplus.size() < ways.size() ? "the kernel also sends to " : "the kernel sends to ")
                + names(surplus)
                + (surplus.size() == 1
                    ? ", which is not an endpoint"
                    : ", which are no endpoints"));
      }
      if (!missing.isEmpty()) {
        differences.add(
            names(missing)
                + (missing.size() == 1 ? " is" : " are")
                + " missing"
                + (surplus.isEmpty() ? "; the kernel sends to " + names(ways) + " only" : ""));
      }
      add(differences, "connections to ", hidden, " are masqueraded, and should not be");
      add(differences, "connections to ", shown, " are not masqueraded, and should be");
      add(differences, "clients do not stay with ", forgotten, ", and should: session affinity");
      add(differences, "clients stay with ", remembered, ", and should not: no session affinity");
      if (missing.isEmpty() && surplus.isEmpty()) {
        differences.addAll(shares.values());
      }
      return String.join("; ", differences);
    }
  }

  private static void add(
      List<String> differences, String before, Set<EndpointKey> keys, String after) {
    if (!keys.isEmpty()) {
      differences.add(before + names(keys) + after);
    }
  }

  private static Set<EndpointKey> endpoints(WalkResult found) {
    return sorted(found.ways().stream().map(EndpointKey::of));
  }

  private static Set<EndpointKey> sorted(Stream<EndpointKey> keys) {
    return keys.collect(Collectors.toCollection(TreeSet::new));
  }

  private static String does(WalkResult found) {
    return switch (found.verdict()) {
      case FORWARD -> "sends it to " + names(endpoints(found));
      case REJECT -> "rejects it";
      case DROP -> "drops it";
      case NONE -> "has no rule for it";
    };
  }

  private static String shouldDo(Fate wanted) {
    return switch (wanted.verdict()) {
      case FORWARD ->
          "send it to "
              + names(sorted(wanted.shares().stream().map(it -> EndpointKey.of(it.endpoint()))));
      case REJECT -> "reject it";
      case DROP -> "drop it";
      case NONE -> "leave it alone";
    };
  }

  private static String names(Set<EndpointKey> keys) {
    List<String> some = keys.stream().limit(MOST_NAMED).map(EndpointKey::toString).toList();
    return String.join(", ", some)
        + (keys.size() > MOST_NAMED ? " and " + (keys.size() - MOST_NAMED) + " more" : "");
  }

  private static String percent(double share) {
    return Math.round(share * 1000) / 10.0 + " %";
  }
}
