package dev.portolan.audit;

import dev.portolan.walk.WalkStep;
import java.util.List;
import java.util.Locale;

/** Tells rules of service proxies from those of other programs. */
final class RuleOwner {
  private static final List<String> MARKS = List.of("portolan", "kube-");

  /** Where virtual servers and programs of eBPF are, which no other program writes for services. */
  private static final List<String> WITHOUT_TABLES = List.of("ipvs", "socket connect");

  private RuleOwner() {}

  /**
   * Whether a service proxy wrote the rule of {@code step}, by the names of its table and chain, or
   * because it is not in a table.
   */
  static boolean isProxy(WalkStep step) {
    String place = step.place().toLowerCase(Locale.ROOT);
    return WITHOUT_TABLES.contains(place) || MARKS.stream().anyMatch(place::contains);
  }
}
