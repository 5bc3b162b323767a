package dev.portolan.takeover;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.core.text.Counted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * What to remove from one iptables table.
 *
 * @param jumps the rules of built-in chains that lead into kube-proxy's
 * @param chains kube-proxy's chains, with all that is in them
 * @param kept chains of kube-proxy that must stay, each with the foreign chain that uses it, or
 *     needs it through others
 */
record ChainPlan(String table, List<Jump> jumps, Set<String> chains, Map<String, String> kept) {
  /** A rule that leads from one chain to another; {@code rule} is how the rule is known. */
  record Jump(String from, String to, String rule) {}

  /** Decides for a table with these chains and these rules that jump; {@code ours} stay. */
  static ChainPlan of(
      String table, Collection<String> chains, List<Jump> jumps, BiPredicate<String, String> ours) {
    Set<String> owned = new TreeSet<>();
    for (String chain : chains) {
      if (KubeChains.isOwned(table, chain) && !ours.test(table, chain)) {
        owned.add(chain);
      }
    }
    List<Jump> entries = new ArrayList<>();
    Map<String, String> kept = new TreeMap<>();
    Deque<String> needed = new ArrayDeque<>();
    for (Jump jump : jumps) {
      if (!owned.contains(jump.to) || owned.contains(jump.from)) {
        continue;
      }
      if (Chains.isBuiltIn(jump.from)) {
        entries.add(jump);
      } else if (kept.putIfAbsent(jump.to, jump.from) == null) {
        needed.add(jump.to);
      }
    }
    Map<String, List<Jump>> byOrigin =
        needed.isEmpty() ? Map.of() : jumps.stream().collect(Collectors.groupingBy(Jump::from));
    while (!needed.isEmpty()) {
      String chain = needed.remove();
      for (Jump jump : byOrigin.getOrDefault(chain, List.of())) {
        if (owned.contains(jump.to) && kept.putIfAbsent(jump.to, jump.from) == null) {
          needed.add(jump.to);
        }
      }
    }
    owned.removeAll(kept.keySet());
    return new ChainPlan(table, entries, owned, kept);
  }

  /** Whether there is nothing to remove. */
  boolean isEmpty() {
    return jumps.isEmpty() && chains.isEmpty();
  }

  /** How much it is, and what stays. */
  String describe() {
    StringBuilder text = new StringBuilder();
    text.append(Counted.of(chains.size(), "chain")).append(" in ").append(table);
    if (!jumps.isEmpty()) {
      text.append(" with ").append(Counted.of(jumps.size(), "jump"));
    }
    kept.forEach((chain, user) ->
        text.append(" (").append(chain).append(" stays for ").append(user).append(')'));
    return text.toString();
  }
}
