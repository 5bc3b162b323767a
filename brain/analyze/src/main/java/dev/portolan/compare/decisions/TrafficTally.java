package dev.portolan.compare.decisions;

import dev.portolan.compare.decisions.VerdictChange.Span;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects what becomes of one kind of traffic to a port, on groups of nodes. */
final class TrafficTally {
  private final Traffic traffic;
  private final Map<Verdicts, Counts> verdicts = new TreeMap<>();
  private final Map<Endpoint, BitSet> gained = new TreeMap<>();
  private final Map<Endpoint, BitSet> lost = new TreeMap<>();
  private final Set<Endpoint> all = new HashSet<>();
  private final Set<Endpoint> allBefore = new HashSet<>();

  /** The last list that was added to each: lists are shared by most nodes. */
  private @Nullable List<Endpoint> lastBefore;

  private @Nullable List<Endpoint> lastAfter;

  /** Two verdicts; those that break something come first, then those that mend. */
  private record Verdicts(Verdict before, Verdict after) implements Comparable<Verdicts> {
    private static final Comparator<Verdicts> ORDER =
        Comparator.comparing((Verdicts it) -> it.before != Verdict.FORWARD)
            .thenComparing(it -> it.after == Verdict.FORWARD)
            .thenComparing(Verdicts::before)
            .thenComparing(Verdicts::after);

    @Override
    public int compareTo(Verdicts other) {
      return ORDER.compare(this, other);
    }
  }

  private static final class Counts {
    Span before;
    Span after;
    final BitSet nodes = new BitSet();

    Counts(int before, int after) {
      this.before = new Span(before, before);
      this.after = new Span(after, after);
    }
  }

  TrafficTally(Traffic traffic) {
    this.traffic = traffic;
  }

  /** A kind of traffic as fields have it. */
  static String label(Traffic traffic) {
    return switch (traffic) {
      case INTERNAL -> "internal";
      case EXTERNAL -> "external";
      case SHORT_CIRCUIT -> "shortCircuit";
    };
  }

  /** Adds what some nodes see; null where there is no such port. */
  @SuppressWarnings("ReferenceEquality") // only saves work
  void add(@Nullable ServicePort before, @Nullable ServicePort after, BitSet where) {
    Verdict old = before == null ? Verdict.NONE : before.verdict(traffic);
    Verdict now = after == null ? Verdict.NONE : after.verdict(traffic);
    List<Endpoint> from = before == null ? List.of() : before.endpoints(traffic);
    List<Endpoint> to = after == null ? List.of() : after.endpoints(traffic);
    if (from != lastBefore) {
      allBefore.addAll(from);
      lastBefore = from;
    }
    if (to != lastAfter) {
      all.addAll(to);
      lastAfter = to;
    }
    if (old == now && from.equals(to)) {
      return;
    }
    Counts counts =
        verdicts.computeIfAbsent(new Verdicts(old, now), key -> new Counts(from.size(), to.size()));
    counts.before = counts.before.with(from.size());
    counts.after = counts.after.with(to.size());
    counts.nodes.or(where);
    Sorted.difference(from, to, where, lost);
    Sorted.difference(to, from, where, gained);
  }

  /** Whether anything differs. */
  boolean differs() {
    return !verdicts.isEmpty();
  }

  /** What differs. */
  TrafficDifference difference(NodeSets sets) {
    List<VerdictChange> changes = new ArrayList<>();
    verdicts.forEach((pair, counts) ->
        changes.add(
            new VerdictChange(
                pair.before, pair.after, counts.before, counts.after, sets.of(counts.nodes))));
    return new TrafficDifference(
        traffic,
        allBefore.size(),
        all.size(),
        changes,
        endpoints(gained, sets),
        endpoints(lost, sets));
  }

  /** Endpoints with the nodes where they were found. */
  static List<EndpointChange> endpoints(Map<Endpoint, BitSet> found, NodeSets sets) {
    List<EndpointChange> changes = new ArrayList<>();
    found.forEach((endpoint, where) -> changes.add(new EndpointChange(endpoint, sets.of(where))));
    return changes;
  }
}
