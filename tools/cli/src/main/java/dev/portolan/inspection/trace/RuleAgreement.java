package dev.portolan.inspection.trace;

import dev.portolan.audit.EndpointKey;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares what was decided for a connection with what rules do. */
final class RuleAgreement {
  /** Drawing again and again makes shares only nearly equal. */
  private static final double TOLERANCE = 0.005;

  private RuleAgreement() {}

  /** Where they differ, in sentences; empty where they agree. */
  static List<String> differences(Explanation explanation, WalkResult walked) {
    List<String> differences = new ArrayList<>();
    if (!walked.remark().isEmpty()) {
      differences.add("the rules are not clear: " + walked.remark());
    }
    if (explanation.verdict() != walked.verdict()) {
      differences.add(
          "verdict: explain says " + explanation.verdict() + ", the rules " + walked.verdict());
    } else if (explanation.verdict() == Verdict.FORWARD) {
      Map<EndpointKey, List<Way>> ways = ways(walked);
      for (Share share : explanation.endpoints()) {
        compare(share, ways.getOrDefault(endpoint(share), List.of()), differences);
      }
      for (Way way : surplus(explanation, walked)) {
        differences.add(label(way.address(), way.port()) + ": too many: only the rules have it");
      }
      affinity(explanation, walked).ifPresent(differences::add);
    }
    return differences;
  }

  private static void compare(Share share, List<Way> ways, List<String> differences) {
    String label = label(share.endpoint().address(), share.endpoint().port());
    if (ways.isEmpty()) {
      differences.add(label + ": missing: the rules never send there");
      return;
    }
    for (Way way : ways) {
      if (way.masquerade() != share.masquerade()) {
        differences.add(
            label
                + ": explain says "
                + masqueraded(share.masquerade())
                + ", the rules "
                + masqueraded(way.masquerade()));
      }
    }
    double all = ways.stream().mapToDouble(Way::share).sum();
    if (Math.abs(all - share.share()) > TOLERANCE) {
      differences.add(
          label + ": explain says " + percent(share.share()) + ", the rules " + percent(all));
    }
  }

  private static Optional<String> affinity(Explanation explanation, WalkResult walked) {
    boolean wanted = explanation.isKept();
    boolean one = explanation.endpoints().size() == 1;
    boolean all = walked.ways().stream().allMatch(Way::remembered);
    boolean any = walked.ways().stream().anyMatch(Way::remembered);
    if (one || (wanted ? all : !any)) {
      return Optional.empty();
    }
    return Optional.of(
        wanted
            ? "session affinity: the rules do not send every client back to its endpoint"
            : "session affinity: the rules remember clients, and explain says nothing of it");
  }

  private static EndpointKey endpoint(Way way) {
    return new EndpointKey(way.address(), way.port());
  }

  /** The endpoint of a share, as {@link #ways} names it. */
  static EndpointKey endpoint(Share share) {
    return new EndpointKey(share.endpoint().address(), share.endpoint().port());
  }

  /**
   * The ways that lead to each endpoint; more than one only if rules masquerade some packets at
   * random.
   */
  static Map<EndpointKey, List<Way>> ways(WalkResult walked) {
    return walked.ways().stream().collect(Collectors.groupingBy(RuleAgreement::endpoint));
  }

  /** The ways to endpoints that were not decided. */
  static List<Way> surplus(Explanation explanation, WalkResult walked) {
    Set<EndpointKey> decided =
        explanation.endpoints().stream().map(RuleAgreement::endpoint).collect(Collectors.toSet());
    return walked.ways().stream().filter(way -> !decided.contains(endpoint(way))).toList();
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  static String masqueraded(boolean masquerade) {
    return masquerade ? "masqueraded" : "not masqueraded";
  }

  private static String label(Ip address, int port) {
    return address.withPort(port);
  }
}
