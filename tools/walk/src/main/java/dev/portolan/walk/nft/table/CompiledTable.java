package dev.portolan.walk.nft.table;

import dev.portolan.netlink.Attributes;
import dev.portolan.nftables.BaseChain;
import dev.portolan.nftables.Nftables;
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
import org.jspecify.annotations.Nullable;

/** A table, ready for packets: its chains with decoded rules, its sets with an index. */
public final class CompiledTable {
  private final TableName name;
  private final long handle;
  private final Map<String, CompiledChain> chains = new LinkedHashMap<>();
  private final Map<String, ElementIndex> sets = new HashMap<>();
  private final Set<String> memories = new HashSet<>();

  /** Rules as text; most are never read. */
  private final Map<CompiledRule, Words> texts = new ConcurrentHashMap<>();

  /**
   * A chain.
   *
   * @param base where the kernel calls it, if it does
   */
  public record CompiledChain(
      String name, long handle, Optional<BaseChain> base, List<CompiledRule> rules) {}

  /** Where a rule is, and what it says. */
  record Words(String place, String text) {}

  /** Decodes a table. */
  public CompiledTable(NftDump.Table table) {
    name = table.name();
    handle = table.handle();
    table.sets().forEach(set -> sets.put(set.name(), new ElementIndex(set)));
    for (NftDump.Chain chain : table.chains()) {
      chains.put(
          chain.name(),
          new CompiledChain(chain.name(), chain.handle(), chain.base(), new ArrayList<>()));
    }
    Attributes before = null;
    for (Nftables.RuleInfo rule : table.rules()) {
      CompiledChain chain = chains.get(rule.chain());
      if (chain != null) {
        chain.rules.add(
            new CompiledRule(
                this,
                chain.name,
                chain.rules.size() + 1,
                rule.handle(),
                ExpressionDecoder.decode(rule.expressions()),
                !chain.rules.isEmpty() && isSame(before, rule.expressions()),
                rule.comment()));
      }
      before = rule.expressions();
    }
    chains.values().forEach(this::findMemories);
  }

  private static boolean isSame(@Nullable Attributes one, Attributes other) {
    return one != null && one.covers(other) && other.covers(one);
  }

  /** Whether rules of iptables are in it, which are read from iptables. */
  public static boolean isCompatibility(NftDump.Table table) {
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

  /** A rule for a person. */
  Words words(CompiledRule rule) {
    return texts.computeIfAbsent(
        rule, it -> new Words(name + " " + it.chain() + " " + it.number(), RuleWriter.text(it)));
  }

  /** Its family and name. */
  public TableName name() {
    return name;
  }

  /** The kernel's number for it. */
  public long handle() {
    return handle;
  }

  /** All chains, in the kernel's order. */
  public Iterable<CompiledChain> chains() {
    return chains.values();
  }

  /** The chain of that name. */
  public Optional<CompiledChain> chain(String chain) {
    return Optional.ofNullable(chains.get(chain));
  }

  /** A set or map, also one that is written inside of a rule. */
  public Optional<ElementIndex> set(String set) {
    return Optional.ofNullable(sets.get(set));
  }

  /** Whether a set remembers which clients were sent to an endpoint. */
  public boolean isMemory(String set) {
    return memories.contains(set);
  }
}
