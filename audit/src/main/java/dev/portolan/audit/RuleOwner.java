package dev.portolan.audit;

import dev.portolan.walk.WalkStep;
import java.util.List;
import java.util.Locale;

/** Tells rules of service proxies from those of other programs. */
final class RuleOwner {
  private static final List<String> MARKS = List.of("portolan", "kube-");

  private RuleOwner() {}

  /**
   * Whether a service proxy wrote the rule of {@code step}, by the names of its table and chain.
   */
  static boolean isProxy(WalkStep step) {
    String place = step.place().toLowerCase(Locale.ROOT);
    return MARKS.stream().anyMatch(place::contains);
  }
}
