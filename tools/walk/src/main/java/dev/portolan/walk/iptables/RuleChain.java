package dev.portolan.walk.iptables;

import dev.portolan.walk.WalkedPacket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chain with its rules. They are read when the first packet comes: the packet in question never
 * meets most chains of a large cluster.
 */
final class RuleChain {
  private static final int LONG = 16;

  private final String table;
  private final String name;
  private final String policy;
  private final RuleReader reader;
  private final List<String> texts = new ArrayList<>();
  private volatile @Nullable Parsed parsed;

  private record Parsed(List<IptablesRule> rules, @Nullable RuleIndex index) {}

  RuleChain(String table, String name, String policy, RuleReader reader) {
    this.table = table;
    this.name = name;
    this.policy = policy;
    this.reader = reader;
  }

  /** Adds a rule; only before the first packet. */
  void add(String text) {
    texts.add(text);
  }

  /** Puts a rule first; only before the first packet. */
  void insert(String text) {
    texts.addFirst(text);
  }

  String table() {
    return table;
  }

  String name() {
    return name;
  }

  /** Whether packets that come to its end are dropped. */
  boolean dropsAtEnd() {
    return policy.equals("DROP");
  }

  /** Whether packets pass through it untouched. */
  boolean isEmpty() {
    return texts.isEmpty() && !dropsAtEnd();
  }

  /** The rules in order. */
  List<IptablesRule> rules() {
    return parsed().rules;
  }

  /** The first rule from place {@code from} on that may match; null if there is none. */
  @Nullable IptablesRule next(int from, WalkedPacket packet) {
    Parsed all = parsed();
    int place = all.index == null ? from : all.index.next(from, packet);
    return place < 0 || place >= all.rules.size() ? null : all.rules.get(place);
  }

  private Parsed parsed() {
    Parsed known = parsed;
    if (known == null) {
      // Two threads may do this at once, and come to the same.
      List<IptablesRule> rules = new ArrayList<>(texts.size());
      for (String text : texts) {
        rules.add(reader.read(rules.size() + 1, text));
      }
      known = new Parsed(rules, rules.size() > LONG ? new RuleIndex(rules) : null);
      parsed = known;
    }
    return known;
  }
}
