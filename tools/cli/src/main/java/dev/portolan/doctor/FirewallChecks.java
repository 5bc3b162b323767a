package dev.portolan.doctor;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesProgram;
import dev.portolan.mode.Forwarded;
import dev.portolan.mode.Mode;
import dev.portolan.modes.KernelModes;
import dev.portolan.nftables.BaseChain;
import dev.portolan.nftables.Hook;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.RuleOutline;
import dev.portolan.nftables.TableName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a firewall drops what we forward. A packet that one base chain accepts can still be
 * dropped by another at the same hook, whatever the priorities: it must pass all of them.
 */
record FirewallChecks(Subject subject, Mode mode) {
  private static final Set<String> WITHOUT_CONDITION =
      Set.of("counter", "log", "immediate", "reject");
  private static final int INET = 1;
  private static final int IPV4 = 2;
  private static final int IPV6 = 10;

  List<CheckResult> run() {
    Map<Hook.Point, List<CheckResult>> results = new HashMap<>();
    try (Nftables kernel = new Nftables(subject.namespace())) {
      Map<TableName, List<RuleOutline>> tables = new HashMap<>();
      for (BaseChain chain : kernel.baseChains()) {
        if (isOurs(chain.table()) || !isOfInternet(chain.table()) || chain.type().equals("nat")) {
          continue;
        }
        for (Hook.Point point : Hook.Point.values()) {
          if (chain.isAt(point)) {
            List<RuleOutline> rules =
                tables.computeIfAbsent(
                    chain.table(), table -> kernel.rules(table, RuleOutline::of));
            judge(chain, point, rules)
                .ifPresent(
                    result -> results.computeIfAbsent(point, key -> new ArrayList<>()).add(result));
          }
        }
      }
    }
    legacy(results);
    List<CheckResult> all = new ArrayList<>();
    for (Hook.Point point : Hook.Point.values()) {
      List<CheckResult> found = results.getOrDefault(point, List.of());
      all.addAll(found);
      if (found.isEmpty() && (point == Hook.Point.FORWARD || point == Hook.Point.INPUT)) {
        all.add(CheckResult.ok(id(point), "no other chain drops packets by default"));
      }
    }
    return all;
  }

  private static String id(Hook.Point point) {
    return "firewall." + point.name().toLowerCase(Locale.ROOT);
  }

  private boolean isOurs(TableName table) {
    return KernelModes.here().stream()
        .anyMatch(one -> one.rules(subject.settings()).tables().contains(table.name()));
  }

  private static boolean isOfInternet(TableName table) {
    return table.family() == INET || table.family() == IPV4 || table.family() == IPV6;
  }

  /** What to report of another program's chain; nothing where it lets through what it should. */
  private Optional<CheckResult> judge(BaseChain chain, Hook.Point point, List<RuleOutline> rules) {
    boolean drops = chain.drops() || endsInDrop(chain.name(), rules);
    if (!drops) {
      return Optional.empty();
    }
    List<RuleOutline> met = reachable(chain.name(), rules);
    boolean anything = met.stream().anyMatch(FirewallChecks::accepts);
    boolean enough =
        met.stream()
            .filter(FirewallChecks::accepts)
            .anyMatch(rule -> letsThrough(rule, point) || isUnconditional(rule));
    boolean own =
        mode.forwardChain()
            .filter(name -> met.stream().anyMatch(rule -> rule.chain().equals(name)))
            .isPresent();
    if (enough || own) {
      return Optional.empty();
    }
    String where = "table " + chain.table() + ", chain " + chain.name();
    String finding =
        where
            + " (hook "
            + point.name().toLowerCase(Locale.ROOT)
            + ", priority "
            + chain.priority()
            + ") drops every packet that "
            + (anything ? "its rules do not accept; an" : "reaches it; an")
            + " accept in our chains does not save a packet from it";
    String remedy = remedy(chain, point);
    return Optional.of(
        anything
            ? CheckResult.warn(id(point), finding, remedy)
            : CheckResult.fail(id(point), finding, remedy));
  }

  /**
   * Whether it accepts what belongs to services. IPVS marks no connection as translated; what is
   * forwarded for it are answers.
   */
  private boolean letsThrough(RuleOutline rule, Hook.Point point) {
    return switch (mode.forwarded()) {
      case ANSWERS -> point == Hook.Point.FORWARD && rule.established();
      case TRANSLATED -> rule.translated();
    };
  }

  private String remedy(BaseChain chain, Hook.Point point) {
    boolean iptables =
        chain.table().name().equals(Chains.FILTER) && chain.name().equals(point.name());
    String rule =
        iptables
            ? (chain.table().family() == IPV6 ? "ip6tables" : "iptables")
                + " -I "
                + chain.name()
                + " -m conntrack --ctstate "
                + mode.forwarded().state()
                + " -j ACCEPT"
            : "nft insert rule "
                + chain.table()
                + " "
                + chain.name()
                + mode.forwarded().match()
                + " accept";
    return remedy(point, rule);
  }

  private String remedy(Hook.Point point, String rule) {
    if (mode.forwarded() == Forwarded.ANSWERS) {
      return switch (point) {
        case FORWARD -> "accept the answers of endpoints in that firewall: " + rule;
        case OUTPUT, POSTROUTING ->
            "accept in that firewall what IPVS sends to endpoints, from any source to the pods";
        case INPUT, PREROUTING ->
            "accept in that firewall what is meant for this node: health checks (10256/tcp and"
                + " healthCheckNodePorts), nodePorts, and the addresses on kube-ipvs0";
      };
    }
    return point == Hook.Point.INPUT
        ? "accept in that firewall what is meant for this node: health checks (10256/tcp and"
            + " healthCheckNodePorts), and services with endpoints in the node's network: "
            + rule
        : "accept connections to services in that firewall: " + rule;
  }

  private static boolean accepts(RuleOutline rule) {
    return rule.verdict().filter(NftVerdict.ACCEPT::equals).isPresent();
  }

  private static boolean isUnconditional(RuleOutline rule) {
    return WITHOUT_CONDITION.containsAll(rule.expressions());
  }

  private static boolean endsInDrop(String chain, List<RuleOutline> rules) {
    List<RuleOutline> own = rules.stream().filter(rule -> rule.chain().equals(chain)).toList();
    if (own.isEmpty() || !isUnconditional(own.getLast())) {
      return false;
    }
    RuleOutline last = own.getLast();
    return last.expressions().contains("reject")
        || last.verdict().filter(NftVerdict.DROP::equals).isPresent();
  }

  /** The rules of a chain, and of all chains that they lead to. */
  private static List<RuleOutline> reachable(String chain, List<RuleOutline> rules) {
    Map<String, List<RuleOutline>> byChain = new HashMap<>();
    rules.forEach(
        rule -> byChain.computeIfAbsent(rule.chain(), key -> new ArrayList<>()).add(rule));
    List<RuleOutline> met = new ArrayList<>();
    Set<String> seen = new HashSet<>(Set.of(chain));
    Deque<String> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      for (RuleOutline rule : byChain.getOrDefault(next.remove(), List.of())) {
        met.add(rule);
        rule.verdict()
            .map(NftVerdict::chain)
            .filter(target -> !target.isEmpty() && seen.add(target))
            .ifPresent(next::add);
      }
    }
    return met;
  }

  /** The tables of iptables-legacy are not nftables'; only its own program shows their policies. */
  private void legacy(Map<Hook.Point, List<CheckResult>> results) {
    KernelFiles files = new KernelFiles(subject.namespace());
    for (String prefix : List.of("ip", "ip6")) {
      boolean used =
          files
              .lines("/proc/thread-self/net/" + prefix + "_tables_names")
              .orElse(List.of())
              .contains(Chains.FILTER);
      if (!used) {
        continue;
      }
      IptablesProgram.find(
              IptablesOptions.USUAL_FOLDERS, prefix + "tables-legacy-save", subject.namespace())
          .ifPresent(program -> {
            List<String> lines = new ArrayList<>();
            IptablesProgram.Result result = program.read(lines::add, List.of("-t", Chains.FILTER));
            if (result.succeeded()) {
              legacy(prefix, lines, results);
            }
          });
    }
  }

  private void legacy(
      String prefix, List<String> lines, Map<Hook.Point, List<CheckResult>> results) {
    for (Hook.Point point : List.of(Hook.Point.INPUT, Hook.Point.FORWARD)) {
      boolean drops = lines.stream().anyMatch(line -> line.startsWith(":" + point + " DROP "));
      boolean accepts =
          lines.stream()
              .filter(line -> line.startsWith("-A ") && line.endsWith("-j ACCEPT"))
              .anyMatch(line ->
                  (mode.forwarded() == Forwarded.ANSWERS
                          ? point == Hook.Point.FORWARD && line.contains("ESTABLISHED")
                          : line.contains("DNAT"))
                      || line.equals("-A " + point + " -j ACCEPT"));
      if (drops && !accepts && !(mode.forwardChain().isPresent() && point == Hook.Point.FORWARD)) {
        String program = prefix + "tables-legacy";
        results
            .computeIfAbsent(point, key -> new ArrayList<>())
            .add(
                CheckResult.warn(
                    id(point),
                    program
                        + ": the policy of chain "
                        + point
                        + " is DROP; an accept in our chains does not save a packet from it",
                    remedy(
                        point,
                        program
                            + " -I "
                            + point
                            + " -m conntrack --ctstate "
                            + mode.forwarded().state()
                            + " -j ACCEPT")));
      }
    }
  }
}
