package dev.portolan.migration;

import dev.portolan.migration.MigrationItem.Affected;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which items apply, in the order in which they are printed. */
final class MoveRules {
  private static final String UNKNOWN =
      "The affected services are not known; specify the cluster with --from file:DIR.";

  private static final Predicate<Present> MOVES = present -> !present.isNftables();
  private static final Predicate<Present> IPVS = Present::isIpvs;
  private static final Predicate<Present> IPTABLES = Present::isIptables;

  private static final List<Rule> ALL =
      List.of(
          rule("already-nftables", Present::isNftables),
          rule("mode-ipvs", IPVS),
          rule("mode-unset", MOVES.and(Present::isModeUnset)),
          rule("kernel", MOVES),
          rule("bound-addresses", IPVS),
          rule(
              "service-address-arp",
              IPVS.and(present -> !present.configuration().ipvs().strictARP()),
              MigrationImpact::withExternalAddresses),
          rule("strict-arp", IPVS.and(present -> present.configuration().ipvs().strictARP())),
          rule("local-fallback", IPVS, MigrationImpact::withoutLocalEndpoints),
          rule("scheduler", IPVS.and(present -> !present.schedulesByHash())),
          rule("scheduler-hashing", IPVS.and(Present::schedulesByHash)),
          rule("timeouts", IPVS.and(present -> !present.hasTimeouts())),
          rule("timeouts-set", IPVS.and(Present::hasTimeouts)),
          rule("exclude-cidrs", IPVS.and(Present::hasExcludedCidrs)),
          rule("graceful-termination", IPVS),
          rule("localhost-node-ports", Present::servesLocalhost, MigrationImpact::withNodePorts),
          rule(
              "invalid-packets",
              IPTABLES.and(present -> !present.configuration().linux().conntrack().tcpBeLiberal())),
          rule("stray-ports", IPTABLES),
          rule("firewall", MOVES, MigrationImpact::withPortsOfTheNode),
          rule(
              "node-port-addresses",
              MOVES.and(present -> present.configuration().nodePortAddresses().isEmpty()),
              MigrationImpact::withNodePorts),
          rule("session-affinity", MOVES, MigrationImpact::withAffinity),
          rule("masquerade-bit", MOVES.and(Present::hasUnusualBit)),
          rule("masquerade-bit-differs", MOVES.and(Present::changesBit)),
          rule("sync-periods", MOVES.and(Present::hasOwnPeriods)),
          rule("ipvs-gate", Present::hasIpvsGate),
          rule("nftables-section", present -> !present.lost(true).isEmpty()),
          rule("not-carried", present -> !present.lost(false).isEmpty()),
          rule("rule-readers", MOVES),
          rule("ipvs-leftovers", IPVS),
          rule("iptables-leftovers", IPTABLES));

  private MoveRules() {}

  /**
   * When an item holds.
   *
   * @param services finds the services that it is about; null where it is not about services
   */
  private record Rule(
      String id,
      Predicate<Present> holds,
      @Nullable Function<MigrationImpact, List<Affected>> services) {}

  /** The items that hold, those that need a person first. */
  static List<MigrationItem> items(Present present) {
    Map<String, String> words = present.words();
    List<MigrationItem> items = new ArrayList<>();
    for (Rule rule : ALL) {
      if (rule.holds.test(present)) {
        add(items, rule, present, words);
      }
    }
    items.sort((one, two) -> one.level().compareTo(two.level()));
    return List.copyOf(items);
  }

  private static void add(
      List<MigrationItem> items, Rule rule, Present present, Map<String, String> words) {
    ItemText text = ItemText.of(rule.id);
    if (rule.services == null) {
      items.add(text.with(words, List.of()));
    } else if (present.services().isEmpty()) {
      items.add(text.with(words, List.of()).advising(UNKNOWN));
    } else {
      List<Affected> services = rule.services.apply(present.services().get());
      if (!services.isEmpty()) {
        items.add(text.with(words, services));
      }
    }
  }

  private static Rule rule(String id, Predicate<Present> holds) {
    return new Rule(id, holds, null);
  }

  private static Rule rule(
      String id, Predicate<Present> holds, Function<MigrationImpact, List<Affected>> services) {
    return new Rule(id, holds, services);
  }
}
