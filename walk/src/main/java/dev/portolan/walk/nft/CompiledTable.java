package dev.portolan.walk.nft;

import dev.portolan.nftables.BaseChain;
import dev.portolan.nftables.NftDump;
import dev.portolan.nftables.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A table, ready for packets: its chains with decoded rules, its sets with an index. */
final class CompiledTable {
  private final TableName name;
  private final long handle;
  private final Map<String, CompiledChain> chains = new LinkedHashMap<>();
  private final Map<String, ElementIndex> sets = new HashMap<>();
  private final Set<String> memories = new HashSet<>();

  /** Rules as text; most are never read. */
  private final Map<CompiledRule, String> texts = new ConcurrentHashMap<>();

  /**
   * A chain.
   *
   * @param base where the kernel calls it, if it does
   */
  record CompiledChain(
      String name, long handle, Optional<BaseChain> base, List<CompiledRule> rules) {}

  CompiledTable(NftDump.Table table) {
    name = table.name();
    handle = table.handle();
    table.sets().forEach(set -> sets.put(set.name(), new ElementIndex(set)));
    for (NftDump.Chain chain : table.chains()) {
      chains.put(
          chain.name(),
          new CompiledChain(chain.name(), chain.handle(), chain.base(), new ArrayList<>()));
    }
    for (NftDump.Rule rule : table.rules()) {
      CompiledChain chain = chains.get(rule.chain());
      if (chain != null) {
        chain.rules.add(
            new CompiledRule(
                this,
                chain.name,
                chain.rules.size() + 1,
                rule.handle(),
                ExpressionDecoder.decode(rule.expressions()),
                rule.comment()));
      }
    }
    chains.values().forEach(this::findMemories);
  }

  /** Whether rules of iptables are in it, which are read from iptables. */
  static boolean isCompatibility(NftDump.Table table) {
    return table.rules().stream()
        .anyMatch(rule -> ExpressionDecoder.isCompatibility(rule.expressions()));
  }

  /** A set that a chain puts clients into before it sends them to an endpoint is its memory. */
  private void findMemories(CompiledChain chain) {
    Set<String> changed = new HashSet<>();
    boolean sends = false;
    for (CompiledRule rule : chain.rules) {
      for (NftExpression each : rule.expressions()) {
        switch (each) {
          case NftExpression.ChangeSet change when !change.removes() -> changed.add(change.set());
          case NftExpression.Translate translate when translate.destination() -> sends = true;
          default -> {}
        }
      }
    }
    if (sends) {
      memories.addAll(changed);
    }
  }

  /** A rule in nft's words. */
  String text(CompiledRule rule) {
    return texts.computeIfAbsent(rule, RuleWriter::text);
  }

  TableName name() {
    return name;
  }

  long handle() {
    return handle;
  }

  /** All chains, in the kernel's order. */
  Iterable<CompiledChain> chains() {
    return chains.values();
  }

  Optional<CompiledChain> chain(String chain) {
    return Optional.ofNullable(chains.get(chain));
  }

  /** A set or map, also one that is written inside of a rule. */
  Optional<ElementIndex> set(String set) {
    return Optional.ofNullable(sets.get(set));
  }

  /** Whether a set remembers which clients were sent to an endpoint. */
  boolean isMemory(String set) {
    return memories.contains(set);
  }
}
