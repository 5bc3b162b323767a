package dev.portolan.backend.iptables;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A look at whether our rules are still there: the canaries, the jumps, and the first rule of the
 * chains that are never empty. It runs one program per table and reads no chain of a service.
 */
record Look(IptablesPrograms programs, FamilySetting setting) {
  /** What else may be missing. */
  static final String GUARD = "the guard of localhost in table filter";

  private static final List<String> NEVER_EMPTY_IN_NAT =
      List.of(Chains.POSTROUTING, Chains.MARK_MASQUERADE);

  /** What is missing, in words. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (String table : Chains.TABLES) {
      lookInto(table, missing);
    }
    return missing.stream().map(it -> it + " (" + setting.family() + ")").toList();
  }

  private void lookInto(String table, List<String> missing) {
    List<Jump> jumps =
        Jump.wanted(setting.localhostNodePorts()).stream()
            .filter(jump -> jump.table().equals(table))
            .toList();
    boolean guarded = setting.localhostNodePorts() && table.equals(Chains.FILTER);
    List<String> neverEmpty = neverEmpty(table);
    Set<String> chains = new LinkedHashSet<>(List.of(Chains.CANARY));
    jumps.forEach(jump -> chains.add(jump.from()));
    neverEmpty.forEach(chain -> chains.add(chain + " 1"));
    if (guarded) {
      chains.add(Chains.KUBELET_FIREWALL);
    }
    KernelRules rules = new KernelRules().in(table);
    Set<String> filled = new LinkedHashSet<>();
    Optional<String> gone =
        programs.list(
            table,
            List.copyOf(chains),
            line -> {
              rules.accept(line);
              if (line.startsWith("-A ")) {
                filled.add(line.split(" ", 3)[1]);
              }
            });
    if (gone.isPresent()) {
      missing.add("the chain " + gone.get().split(" ", 2)[0] + " in table " + table);
      return;
    }
    jumps.stream().filter(jump -> !rules.has(jump)).map(Jump::toString).forEach(missing::add);
    neverEmpty.stream()
        .filter(chain -> !filled.contains(chain))
        .forEach(chain -> missing.add("the rules of " + chain + " in table " + table));
    if (guarded && !rules.isGuarded()) {
      missing.add(GUARD);
    }
  }

  private List<String> neverEmpty(String table) {
    List<String> chains = new ArrayList<>();
    switch (table) {
      case Chains.FILTER -> chains.add(Chains.FORWARD);
      case Chains.NAT -> {
        chains.addAll(NEVER_EMPTY_IN_NAT);
        if (!setting.nodePortDestinations().isEmpty()) {
          chains.add(Chains.SERVICES);
        }
      }
      default -> {}
    }
    return chains;
  }
}
