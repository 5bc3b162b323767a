package dev.portolan.walk.iptables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables of one family, from the lines that iptables-save prints. */
final class SavedTables {
  private final Map<String, Map<String, RuleChain>> tables = new HashMap<>();
  private final List<String> unreadable = new ArrayList<>();
  private final RuleReader reader;

  private SavedTables(RuleReader reader) {
    this.reader = reader;
  }

  /** Reads {@code lines}; those that make no sense are left out. */
  static SavedTables parse(Iterable<String> lines, RuleReader reader) {
    SavedTables saved = new SavedTables(reader);
    String table = "";
    for (String line : lines) {
      if (line.startsWith("*")) {
        table = line.substring(1).strip();
      } else if (line.startsWith(":")) {
        String[] words = line.substring(1).split(" ", -1);
        saved.chain(table, words[0], words.length > 1 ? words[1] : "-");
      } else if (line.startsWith("-A ") || line.startsWith("-I ")) {
        saved.rule(table, line);
      } else if (line.startsWith("#") && line.contains("incompatible")) {
        saved.unreadable.add(line.substring(1).strip());
      }
    }
    return saved;
  }

  private void rule(String table, String line) {
    String[] words = line.split(" ", 3);
    RuleChain chain = chain(table, words[1], "ACCEPT");
    String text = words.length < 3 ? "" : words[2];
    if (line.startsWith("-I")) {
      chain.insert(text);
    } else {
      chain.add(text);
    }
  }

  private RuleChain chain(String table, String name, String policy) {
    return tables
        .computeIfAbsent(table, key -> new HashMap<>())
        .computeIfAbsent(name, key -> new RuleChain(table, name, policy, reader));
  }

  /** A chain, where there is one of that name. */
  Optional<RuleChain> chain(String table, String name) {
    return Optional.ofNullable(tables.getOrDefault(table, Map.of()).get(name));
  }

  /** Whether some chain does something with packets. */
  boolean hasRules() {
    return tables.values().stream()
        .flatMap(chains -> chains.values().stream())
        .anyMatch(chain -> !chain.isEmpty());
  }

  /** What iptables-save says of tables that it could not print. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }
}
