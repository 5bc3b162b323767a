package dev.portolan.takeover;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.RuleText;
import dev.portolan.backend.iptables.RuleWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Reads what iptables-save prints, line by line, and keeps the names of chains and the rules that
 * jump to one of kube-proxy's.
 */
final class SavedRules {
  private final Map<String, List<String>> chains = new LinkedHashMap<>();
  private final Map<String, List<ChainPlan.Jump>> jumps = new LinkedHashMap<>();
  private String table = "";
  private boolean marked;

  /** Takes the next line. */
  void accept(String line) {
    if (line.startsWith("*")) {
      table = line.substring(1).strip();
    } else if (line.startsWith(":")) {
      String chain = line.substring(1).split(" ", 2)[0];
      chains.computeIfAbsent(table, _ -> new ArrayList<>()).add(chain);
    } else if (line.startsWith("-A ")) {
      rule(line);
    }
  }

  /** What to remove, table by table; {@code ours} stay. */
  List<ChainPlan> plans(BiPredicate<String, String> ours) {
    return KubeChains.TABLES.stream()
        .filter(chains::containsKey)
        .map(name ->
            ChainPlan.of(
                name,
                chains.getOrDefault(name, List.of()),
                jumps.getOrDefault(name, List.of()),
                ours))
        .filter(plan -> !plan.isEmpty())
        .toList();
  }

  /** Whether the chains carry our mark. */
  boolean isMarked() {
    return marked;
  }

  private void rule(String line) {
    List<String> words = RuleWords.of(line);
    if (words.size() < 2) {
      return;
    }
    String from = words.get(1);
    marked |= from.equals(Chains.MARK_MASQUERADE) && RuleText.isMarked(words);
    for (int i = 2; i + 1 < words.size(); i++) {
      String to = words.get(i + 1);
      boolean jump = words.get(i).equals("-j") || words.get(i).equals("-g");
      if (jump && KubeChains.isOwned(table, to)) {
        boolean inside = KubeChains.isOwned(table, from);
        String rule = inside ? "" : line.substring("-A ".length() + from.length());
        jumps
            .computeIfAbsent(table, _ -> new ArrayList<>())
            .add(new ChainPlan.Jump(from, to, rule));
        return;
      }
    }
  }
}
