package dev.portolan.backend.iptables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the kernel has, as far as it concerns us: the names of chains, rules outside our chains that
 * lead into them, and the guard of localhost. Reads the lines of iptables-save, and of iptables -S.
 */
final class KernelRules {
  private final Map<String, Set<String>> chains = new HashMap<>();
  private final List<Entrance> entrances = new ArrayList<>();
  private String table = "";
  private boolean guarded;
  private boolean marked;

  /**
   * A rule in a foreign chain that jumps to one of ours.
   *
   * @param rule all but the chain that it is in
   */
  record Entrance(String table, String from, String to, String rule) {}

  /** All that the kernel has. */
  static KernelRules read(IptablesPrograms programs) {
    KernelRules rules = new KernelRules();
    programs.save(rules::accept);
    return rules;
  }

  /** Says of which table the next lines are, where these do not. */
  KernelRules in(String name) {
    table = name;
    return this;
  }

  void accept(String line) {
    if (line.startsWith("-A ")) {
      rule(line);
    } else if (line.startsWith("*")) {
      table = line.substring(1).strip();
    } else if (line.startsWith(":")) {
      addChain(line.substring(1));
    } else if (line.startsWith("-N ")) {
      addChain(line.substring(3));
    }
  }

  private void addChain(String line) {
    chains.computeIfAbsent(table, key -> new HashSet<>()).add(line.split(" ", 2)[0]);
  }

  private void rule(String line) {
    int end = line.indexOf(' ', 3);
    if (end < 0) {
      return;
    }
    String from = line.substring(3, end);
    if (Chains.isOwned(table, from)) {
      marked |=
          from.equals(Chains.MARK_MASQUERADE)
              && RuleText.isMarked(RuleWords.of(line.substring(end + 1)));
      return;
    }
    String rule = line.substring(end + 1);
    List<String> words = RuleWords.of(rule);
    if (from.equals(Chains.KUBELET_FIREWALL)) {
      guarded |= sorted(words).equals(sorted(RuleWords.of(RuleText.LOCALNET_GUARD)));
      return;
    }
    for (int i = 0; i + 1 < words.size(); i++) {
      boolean jump = words.get(i).equals("-j") || words.get(i).equals("-g");
      String to = words.get(i + 1);
      if (jump && (Chains.isOwned(table, to) || to.equals(Chains.KUBELET_FIREWALL))) {
        entrances.add(new Entrance(table, from, to, rule));
      }
    }
  }

  boolean has(Jump jump) {
    List<String> wanted = sorted(RuleWords.of(jump.rule()));
    return entrances.stream()
        .anyMatch(it ->
            it.table.equals(jump.table())
                && it.from.equals(jump.from())
                && it.to.equals(jump.to())
                && sorted(RuleWords.of(it.rule)).equals(wanted));
  }

  boolean hasChain(String name, String chain) {
    return chains(name).contains(chain);
  }

  Set<String> chains(String name) {
    return chains.getOrDefault(name, Set.of());
  }

  /** Whether the rule is there that keeps neighbours from what listens on localhost. */
  boolean isGuarded() {
    return guarded;
  }

  /** Whether there are chains with our names that another program wrote. */
  boolean isForeign() {
    return !marked && hasChain(Chains.NAT, Chains.SERVICES);
  }

  /** Rules of the kernel's own chains that lead into ours. */
  List<Entrance> jumps(String name) {
    return entrances.stream()
        .filter(it -> it.table.equals(name) && Chains.isOwned(name, it.to))
        .filter(it -> Chains.isBuiltIn(it.from))
        .toList();
  }

  /** Our chains that a foreign rule jumps to; they cannot be removed. */
  Set<String> usedByOthers(String name) {
    Set<String> used = new HashSet<>();
    for (Entrance entrance : entrances) {
      if (entrance.table.equals(name) && !Chains.isBuiltIn(entrance.from)) {
        used.add(entrance.to);
      }
    }
    return used;
  }

  private static List<String> sorted(List<String> words) {
    return words.stream().sorted().toList();
  }
}
