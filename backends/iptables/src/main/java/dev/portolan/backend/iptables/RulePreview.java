package dev.portolan.backend.iptables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.text.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a restore would change, for people: one line per chain that comes or goes, and per rule that
 * comes, goes or moves in a chain that stays. Reads what iptables-save prints and what
 * iptables-restore would get, and compares rules by what they mean ({@link RuleForm}).
 */
final class RulePreview {
  private final IpFamily family;
  private final Map<String, List<String>> now = new TreeMap<>();
  private final Map<String, List<String>> then = new TreeMap<>();
  private final Set<String> declared = new HashSet<>();
  private String table = "";

  RulePreview(IpFamily family) {
    this.family = family;
  }

  /** Takes a line of iptables-save. */
  void there(String line) {
    String[] words = line.split(" ", 3);
    if (line.startsWith("*")) {
      table = line.substring(1).strip();
    } else if (line.startsWith(":")) {
      now.put(table + " " + words[0].substring(1), new ArrayList<>());
    } else if (line.startsWith("-A ") && words.length == 3) {
      now.computeIfAbsent(table + " " + words[1], key -> new ArrayList<>()).add(words[2]);
    }
  }

  /** Takes a line for iptables-restore; those of the kernel have been taken before. */
  void wanted(String line) {
    if (then.isEmpty()) {
      now.forEach((chain, rules) -> then.put(chain, new ArrayList<>(rules)));
    }
    String[] words = line.split(" ", 3);
    String chain = table + " " + (words.length > 1 ? words[1] : "");
    switch (words[0]) {
      case "-A" -> rules(chain).add(words[2]);
      case "-I" -> rules(chain).addFirst(words[2]);
      case "-X" -> then.remove(chain);
      default -> {
        if (line.startsWith("*")) {
          table = line.substring(1);
        } else if (line.startsWith(":")) {
          String name = table + " " + words[0].substring(1);
          then.put(name, new ArrayList<>());
          declared.add(name);
        }
      }
    }
  }

  private List<String> rules(String chain) {
    return then.computeIfAbsent(chain, key -> new ArrayList<>());
  }

  /** The lines, those of chains that come and go first. */
  List<String> lines() {
    List<String> chains = new ArrayList<>();
    List<String> rules = new ArrayList<>();
    then.forEach((chain, wanted) -> {
      List<String> there = now.get(chain);
      if (there == null && declared.contains(chain)) {
        String count = wanted.isEmpty() ? "" : ": " + Counted.of(wanted.size(), "rule");
        chains.add("+ chain " + chain + of() + count);
        return;
      }
      compare(chain, there == null ? List.of() : there, wanted, rules);
    });
    now.keySet().stream()
        .filter(chain -> !then.isEmpty() && !then.containsKey(chain))
        .forEach(chain -> chains.add("- chain " + chain + of()));
    chains.addAll(rules);
    return chains;
  }

  /** Adds a line per rule that comes or goes. One that moves does both, where the order matters. */
  private void compare(String chain, List<String> there, List<String> wanted, List<String> lines) {
    List<Rule> before = read(there);
    List<Rule> after = read(wanted);
    List<Rule> added = without(after, before);
    List<Rule> removed = without(before, after);
    List<Rule> stayed = ordered(chain, without(before, removed));
    List<Rule> staying = ordered(chain, without(after, added));
    int first = 0;
    int last = stayed.size();
    while (first < last && stayed.get(first).equals(staying.get(first))) {
      first++;
    }
    while (first < last && stayed.get(last - 1).equals(staying.get(last - 1))) {
      last--;
    }
    Stream.concat(added.stream(), staying.subList(first, last).stream())
        .forEach(rule -> lines.add("+ rule " + chain + of() + " " + rule.text));
    Stream.concat(removed.stream(), stayed.subList(first, last).stream())
        .forEach(rule -> lines.add("- rule " + chain + of() + " " + rule.text));
  }

  private String of() {
    return " (" + family + ")";
  }

  private List<Rule> read(List<String> texts) {
    return texts.stream().map(text -> new Rule(text, RuleForm.of(text, family))).toList();
  }

  /** The rules of {@code some} for which there is none alike in {@code others}. */
  private static List<Rule> without(List<Rule> some, List<Rule> others) {
    Map<Rule, Integer> rest = new HashMap<>();
    others.forEach(rule -> rest.merge(rule, 1, Integer::sum));
    return some.stream().filter(rule -> rest.merge(rule, -1, Integer::sum) < 0).toList();
  }

  /**
   * The rules in the order that matters: a shared chain is sorted, because its rules match
   * different packets, except for what must be last in it; that comes first where it is not the
   * last.
   */
  private static List<Rule> ordered(String chain, List<Rule> rules) {
    if (!Shared.isOne(chain)) {
      return rules;
    }
    int last = rules.size();
    while (last > 0 && RuleText.isLast(rules.get(last - 1).form)) {
      last--;
    }
    Comparator<Rule> order = Comparator.comparing(rule -> !RuleText.isLast(rule.form));
    return Stream.concat(
            rules.subList(0, last).stream()
                .sorted(order.thenComparing(rule -> rule.form.toString())),
            rules.subList(last, rules.size()).stream())
        .toList();
  }

  /** A rule as it is written, and as it is compared. */
  private record Rule(String text, RuleForm form) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Rule rule && rule.form.equals(form);
    }

    @Override
    public int hashCode() {
      return form.hashCode();
    }
  }
}
