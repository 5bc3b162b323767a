package dev.portolan.backend.iptables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.text.Counted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a restore would change, for people: one line per chain that comes or goes, and per rule that
 * comes or goes in a chain that stays. Reads what iptables-save prints and what iptables-restore
 * would get, and compares rules by what they mean, because iptables does not print them as they
 * were written.
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
    String of = " (" + family + ")";
    then.forEach((chain, wanted) -> {
      List<String> there = now.get(chain);
      if (there == null && declared.contains(chain)) {
        String count = wanted.isEmpty() ? "" : ": " + Counted.of(wanted.size(), "rule");
        chains.add("+ chain " + chain + of + count);
        return;
      }
      List<Rule> after = normal(wanted);
      List<Rule> before = normal(there == null ? List.of() : there);
      without(after, before).forEach(rule -> rules.add("+ rule " + chain + of + " " + rule));
      without(before, after).forEach(rule -> rules.add("- rule " + chain + of + " " + rule));
    });
    now.keySet().stream()
        .filter(chain -> !then.isEmpty() && !then.containsKey(chain))
        .forEach(chain -> chains.add("- chain " + chain + of));
    chains.addAll(rules);
    return chains;
  }

  /** The rules of {@code some} for which there is none alike in {@code others}. */
  private static List<String> without(List<Rule> some, List<Rule> others) {
    if (some.equals(others)) {
      return List.of();
    }
    Map<List<String>, Integer> rest = new HashMap<>();
    others.forEach(rule -> rest.merge(rule.normal, 1, Integer::sum));
    return some.stream()
        .filter(rule -> rest.merge(rule.normal, -1, Integer::sum) < 0)
        .map(rule -> rule.text)
        .toList();
  }

  /** A rule as it is written, and in the one order and spelling that rules are compared in. */
  private record Rule(String text, List<String> normal) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Rule rule && rule.normal.equals(normal);
    }

    @Override
    public int hashCode() {
      return normal.hashCode();
    }
  }

  private List<Rule> normal(List<String> rules) {
    return rules.stream().map(rule -> new Rule(rule, normal(rule))).toList();
  }

  /** The words of a rule in one order and one spelling, as iptables-save has them. */
  private List<String> normal(String rule) {
    List<String> words = RuleWords.of(rule);
    List<String> normal = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      String value = i + 1 < words.size() ? words.get(i + 1) : "";
      switch (word) {
        case "-m", "--rsource" -> i += word.equals("-m") ? 1 : 0;
        case "--mask" -> i++;
        case "-s", "-d" -> {
          normal.add(word + (value.contains("/") ? value : value + full()));
          i++;
        }
        case "--or-mark" -> {
          normal.add("--set-xmark " + value + "/" + value);
          i++;
        }
        case "--xor-mark" -> {
          normal.add("--set-xmark " + value + "/0x0");
          i++;
        }
        case "--set-xmark" -> {
          normal.add(word + " " + value);
          i++;
        }
        case "--probability" -> {
          normal.add(word + Math.round(Double.parseDouble(value) * 1e6));
          i++;
        }
        case "--reject-with" -> i++;
        case "--ctstate" -> {
          normal.add(word + List.of(value.split(",")).stream().sorted().toList());
          i++;
        }
        default -> normal.add(word.replace("\"", ""));
      }
    }
    normal.sort(null);
    return normal;
  }

  private String full() {
    return family == IpFamily.IPV4 ? "/32" : "/128";
  }
}
