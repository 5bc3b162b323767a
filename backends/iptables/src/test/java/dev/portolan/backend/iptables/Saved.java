package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What iptables-save prints, by table and chain. The order of rules is kept; but in chains that
 * many services share, the order of services does not matter, and only that of each one's rules is
 * kept.
 */
record Saved(Map<String, Map<String, List<String>>> tables) {
  private static final Set<String> UNORDERED =
      Set.of(Chains.SERVICES, Chains.EXTERNAL_SERVICES, Chains.NODE_PORTS, Chains.PROXY_FIREWALL);

  private static final Pattern COMMENT = Pattern.compile("--comment \"?([^ \"]+)");

  /** Reads it from the namespace in which {@code run} runs programs. */
  static Saved read(Variant variant, IpFamily family, Function<String, String> run) {
    return parse(run.apply(program(variant, family, "save")));
  }

  static String program(Variant variant, IpFamily family, String verb) {
    return (family == IpFamily.IPV4 ? "iptables" : "ip6tables")
        + (variant == Variant.NFT ? "-nft-" : "-legacy-")
        + verb;
  }

  static Saved parse(String text) {
    Map<String, Map<String, List<String>>> tables = inOrder(text);
    tables
        .values()
        .forEach(chains ->
            chains.forEach((name, rules) -> {
              if (UNORDERED.contains(name)) {
                rules.sort(Comparator.comparing(Saved::service));
              }
            }));
    return new Saved(tables);
  }

  /** The service port that a rule is for, which its comment begins with. */
  private static String service(String rule) {
    Matcher comment = COMMENT.matcher(rule);
    return comment.find() ? comment.group(1) : "";
  }

  /** The rules of each chain in the order in which packets meet them. */
  static Map<String, Map<String, List<String>>> inOrder(String text) {
    Map<String, Map<String, List<String>>> tables = new TreeMap<>();
    String table = "";
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", 3);
      if (line.startsWith("*")) {
        table = line.substring(1);
      } else if (line.startsWith(":")) {
        chain(tables, table, words[0].substring(1));
      } else if (line.startsWith("-A ")) {
        chain(tables, table, words[1]).add(words[2]);
      } else if (line.startsWith("-I ")) {
        chain(tables, table, words[1]).addFirst(words[2]);
      }
    }
    return tables;
  }

  private static List<String> chain(
      Map<String, Map<String, List<String>>> tables, String table, String name) {
    return tables
        .computeIfAbsent(table, key -> new TreeMap<>())
        .computeIfAbsent(name, key -> new ArrayList<>());
  }

  /** The rules of a chain; fails where there is none. */
  List<String> chain(String table, String name) {
    List<String> rules = tables.getOrDefault(table, Map.of()).get(name);
    if (rules == null) {
      throw new AssertionError("no chain " + name + " in table " + table + ": " + this);
    }
    return rules;
  }

  /** All as lines, for a comparison that shows what differs. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    tables.forEach((table, chains) ->
        chains.forEach((name, rules) -> {
          lines.add(table + " " + name);
          rules.forEach(rule -> lines.add(table + " " + name + " " + rule));
        }));
    return lines;
  }

  /** The lines that name one of our chains. */
  List<String> ours() {
    return lines().stream().filter(line -> line.contains("KUBE-")).toList();
  }
}
