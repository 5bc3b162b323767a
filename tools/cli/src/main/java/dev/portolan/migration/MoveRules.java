package dev.portolan.migration;

import dev.portolan.config.fields.ProxyMode;
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

  private static final Predicate<Present> MOVES = Present::moves;
  private static final Predicate<Present> TO_NFTABLES =
      MOVES.and(present -> present.target() == ProxyMode.NFTABLES);
  private static final Predicate<Present> TO_IPTABLES =
      MOVES.and(present -> present.target() == ProxyMode.IPTABLES);
  private static final Predicate<Present> IPVS = Present::isIpvs;
  private static final Predicate<Present> IPTABLES = TO_NFTABLES.and(Present::isIptables);
  private static final Predicate<Present> NFTABLES = TO_IPTABLES.and(Present::isNftables);

  private static final List<Rule> ALL =
      List.of(
          rule("this-node-not-ready", node(node -> node.obstacle().isPresent())),
          rule(
              "already-nftables",
              MOVES.negate().and(present -> present.mode() == ProxyMode.NFTABLES)),
          rule(
              "nftables-beside", MOVES.negate().and(present -> present.mode() != present.target())),
          rule("already-iptables", MOVES.negate().and(Present::isIptables)),
          rule("this-node-ready", MOVES.and(node(ThisNode::isReady))),
          rule("this-node-found", MOVES.and(node(node -> !node.found().isEmpty()))),
          rule("this-node-unread", node(node -> !node.unread().isEmpty())),
          rule("this-node-ipvs", ipvs(LiveIpvs::isInUse)),
          rule("this-node-ipvs-mode", IPVS.negate().and(ipvs(LiveIpvs::isInUse))),
          rule(
              "this-node-ipvs-hashing",
              ipvs(LiveIpvs::hasHashing).and(present -> !present.schedulesByHash())),
          rule("this-node-ipvs-weights", ipvs(LiveIpvs::hasWeights)),
          rule("this-node-ipvs-methods", ipvs(LiveIpvs::hasOtherMethods)),
          rule("this-node-ipvs-others", ipvs(LiveIpvs::hasOthers)),
          rule("mode-ipvs", IPVS),
          rule("mode-unset", MOVES.and(Present::isModeUnset)),
          rule("kernel", TO_NFTABLES),
          rule("programs", NFTABLES),
          rule("scale", TO_IPTABLES),
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
          rule(
              "localhost-node-ports",
              TO_NFTABLES.and(Present::servesLocalhost),
              MigrationImpact::withNodePorts),
          rule(
              "invalid-packets",
              IPTABLES.and(present -> !present.configuration().linux().conntrack().tcpBeLiberal())),
          rule(
              "invalid-packets-dropped",
              TO_IPTABLES.and(
                  present -> !present.configuration().linux().conntrack().tcpBeLiberal())),
          rule("stray-ports", IPTABLES),
          rule("stray-ports-routed", NFTABLES),
          rule("firewall", TO_NFTABLES, MigrationImpact::withPortsOfTheNode),
          rule(
              "node-port-addresses-primary",
              NFTABLES.and(present -> present.configuration().nodePortAddresses().isEmpty()),
              MigrationImpact::withNodePorts),
          rule(
              "node-port-addresses",
              TO_NFTABLES.and(present -> present.configuration().nodePortAddresses().isEmpty()),
              MigrationImpact::withNodePorts),
          rule("session-affinity", MOVES, MigrationImpact::withAffinity),
          rule("masquerade-bit", MOVES.and(Present::hasUnusualBit)),
          rule("masquerade-bit-differs", MOVES.and(Present::changesBit)),
          rule("sync-periods", MOVES.and(Present::hasOwnPeriods)),
          rule("ipvs-gate", Present::hasIpvsGate),
          rule("target-section", present -> !present.lost(true).isEmpty()),
          rule("not-carried", present -> !present.lost(false).isEmpty()),
          rule("rule-readers", MOVES),
          rule("ipvs-leftovers", IPVS),
          rule("iptables-leftovers", IPTABLES),
          rule("nftables-leftovers", NFTABLES));

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

  private static Predicate<Present> node(Predicate<ThisNode> holds) {
    return present -> present.node().filter(holds).isPresent();
  }

  private static Predicate<Present> ipvs(Predicate<LiveIpvs> holds) {
    return node(node -> holds.test(node.ipvs()));
  }

  private static Rule rule(String id, Predicate<Present> holds) {
    return new Rule(id, holds, null);
  }

  private static Rule rule(
      String id, Predicate<Present> holds, Function<MigrationImpact, List<Affected>> services) {
    return new Rule(id, holds, services);
  }
}
