package dev.portolan.backend.iptables;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What to remove of ours: jumps in the kernel's own chains, and chains. A chain that a foreign rule
 * jumps to is only emptied.
 */
record Removal(
    Map<String, List<KernelRules.Entrance>> jumps,
    Map<String, List<String>> emptied,
    Map<String, Set<String>> kept) {
  static Removal of(KernelRules kernel) {
    Removal removal = new Removal(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    for (String table : Chains.TABLES) {
      List<String> owned =
          kernel.chains(table).stream()
              .filter(chain -> Chains.isOwned(table, chain))
              .sorted()
              .toList();
      if (!owned.isEmpty()) {
        removal.jumps.put(table, kernel.jumps(table));
        removal.emptied.put(table, owned);
        removal.kept.put(table, kernel.usedByOthers(table));
      }
    }
    return removal;
  }

  boolean isEmpty() {
    return emptied.isEmpty();
  }

  void write(RestoreWriter out) {
    emptied.forEach((table, owned) -> {
      out.begin(table);
      jumps
          .getOrDefault(table, List.of())
          .forEach(jump -> out.line("-D " + jump.from() + " " + jump.rule()));
      Set<String> stay = kept.getOrDefault(table, Set.of());
      out.remove(owned, owned.stream().filter(chain -> !stay.contains(chain)).toList());
      out.commit();
    });
    out.flush();
  }
}
