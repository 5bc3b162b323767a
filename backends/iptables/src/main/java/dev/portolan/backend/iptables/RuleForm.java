package dev.portolan.backend.iptables;

import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A rule in the one spelling that rules are compared in: iptables does not print rules as they were
 * written. What is matched stands in one order, each option with its {@code !} and its value, and
 * beside the match that it belongs to.
 *
 * @param comments the words of its comments
 * @param meaning all the rest, sorted by match
 */
record RuleForm(String comments, String meaning) {
  /** These belong to no match, and may stand behind any. */
  private static final Set<String> OF_NO_MATCH = Set.of("-s", "-d", "-i", "-o", "-p", "-f");

  private static final Set<String> DEFAULTS =
      Set.of(
          "--rsource",
          "--mask 255.255.255.255",
          "--mask ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
          "--reject-with icmp-port-unreachable",
          "--reject-with icmp6-port-unreachable");

  /** Reads a rule as iptables-save prints it or as iptables-restore takes it, without its chain. */
  static RuleForm of(String rule, IpFamily family) {
    List<String> words = RuleWords.of(rule);
    List<String> ofNone = new ArrayList<>();
    List<List<String>> matches = new ArrayList<>();
    List<String> current = ofNone;
    List<String> comments = new ArrayList<>();
    for (int i = 0; i < words.size(); ) {
      int start = i;
      boolean negated = words.get(i).equals("!") && i + 1 < words.size();
      i += negated ? 1 : 0;
      String name = words.get(i++);
      int values = i;
      while (i < words.size() && !isOption(words.get(i))) {
        i++;
      }
      String value = String.join(" ", words.subList(values, i)).replace("\"", "");
      if (name.equals("-m") || name.equals("-j") || name.equals("-g")) {
        current = new ArrayList<>();
        current.add(name + " " + value);
        matches.add(current);
      } else if (name.equals("--comment")) {
        comments.add(value);
      } else if (!DEFAULTS.contains(String.join(" ", words.subList(start, i)))) {
        List<String> place = OF_NO_MATCH.contains(name) ? ofNone : current;
        place.add((negated ? "! " : "") + option(name, value, family));
      }
    }
    matches.add(ofNone);
    return new RuleForm(
        String.join("; ", comments),
        matches.stream()
            .map(match -> match.stream().sorted().collect(Collectors.joining(" ")))
            .filter(match -> !match.equals("-m comment"))
            .sorted()
            .collect(Collectors.joining(" ")));
  }

  private static boolean isOption(String word) {
    return word.startsWith("-") || word.equals("!");
  }

  private static String option(String name, String value, IpFamily family) {
    return switch (name) {
      case "-s", "-d" -> name + " " + (value.contains("/") ? value : value + full(family));
      case "--or-mark" -> "--set-xmark " + value + "/" + value;
      case "--xor-mark" -> "--set-xmark " + value + "/0x0";
      case "--probability" -> name + " " + Math.round(Double.parseDouble(value) * 1e6);
      case "--ctstate" ->
          name + " " + Arrays.stream(value.split(",")).sorted().collect(Collectors.joining(","));
      default -> value.isEmpty() ? name : name + " " + value;
    };
  }

  private static String full(IpFamily family) {
    return family == IpFamily.IPV4 ? "/32" : "/128";
  }
}
