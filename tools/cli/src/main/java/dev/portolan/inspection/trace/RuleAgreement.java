package dev.portolan.inspection.trace;

import dev.portolan.audit.EndpointKey;
import dev.portolan.audit.Mismatch;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Fate;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares what was decided for a connection with what rules do. */
final class RuleAgreement {
  /** Rules that draw at random one after another have shares that are only nearly equal. */
  private static final double TOLERANCE = 0.005;

  private RuleAgreement() {}

  /** Where they differ, in sentences; empty where they agree. */
  static List<String> differences(Explanation explanation, WalkResult walked) {
    List<String> differences = new ArrayList<>();
    boolean otherMemory = false;
    for (Mismatch mismatch : mismatches(explanation, walked)) {
      switch (mismatch) {
        case Mismatch.Unclear(String remark) ->
            differences.add("the rules are not clear: " + remark);
        case Mismatch.OtherVerdict(Verdict wanted, Verdict found) ->
            differences.add("verdict: explain says " + wanted + ", the rules " + found);
        case Mismatch.Missing(EndpointKey endpoint) ->
            differences.add(endpoint + ": missing: the rules never send there");
        case Mismatch.OtherSource(EndpointKey endpoint, boolean masqueraded) ->
            differences.add(
                endpoint
                    + ": explain says "
                    + masqueraded(!masqueraded)
                    + ", the rules "
                    + masqueraded(masqueraded));
        case Mismatch.OtherShare(EndpointKey endpoint, double wanted, double found) ->
            differences.add(
                endpoint + ": explain says " + percent(wanted) + ", the rules " + percent(found));
        case Mismatch.Surplus(EndpointKey endpoint) ->
            differences.add(endpoint + ": too many: only the rules have it");
        case Mismatch.OtherMemory _ -> otherMemory = true;
      }
    }
    // With one endpoint, nobody can tell whether a client is remembered.
    if (otherMemory && explanation.endpoints().size() != 1) {
      differences.add(
          explanation.isKept()
              ? "session affinity: the rules do not send every client back to its endpoint"
              : "session affinity: the rules remember clients, and explain says nothing of it");
    }
    return differences;
  }

  private static List<Mismatch> mismatches(Explanation explanation, WalkResult walked) {
    List<Fate.Share> shares =
        explanation.endpoints().stream()
            .map(it -> new Fate.Share(it.endpoint(), it.share(), it.masquerade()))
            .toList();
    return Mismatch.between(explanation.verdict(), shares, explanation.isKept(), walked, TOLERANCE);
  }

  /** The ways to endpoints that were not decided. */
  static List<Way> surplus(Explanation explanation, WalkResult walked) {
    Set<EndpointKey> decided =
        explanation.endpoints().stream()
            .map(share -> EndpointKey.of(share.endpoint()))
            .collect(Collectors.toSet());
    return walked.ways().stream().filter(way -> !decided.contains(EndpointKey.of(way))).toList();
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  private static String masqueraded(boolean masquerade) {
    return masquerade ? "masqueraded" : "not masqueraded";
  }
}
