package dev.portolan.walk.nft.table;

import dev.portolan.nftables.BaseChain;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.TableName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Everything that nf_tables has for IP packets in a network namespace, regardless of who wrote it:
 * the tables of the families ip, ip6 and inet, all of one generation.
 *
 * @param generation the number of the rule set that was read
 */
public record NftDump(int generation, List<Table> tables) {
  public NftDump {
    tables = List.copyOf(tables);
  }

  /** Reads this process's network namespace, or the one that {@code namespace} stands for. */
  public static NftDump read(Optional<Path> namespace) {
    try (NftDumpReader reader = new NftDumpReader(namespace)) {
      return reader.read();
    }
  }

  /**
   * A table.
   *
   * @param handle grows with each table that is made
   * @param dormant whether it is switched off
   * @param rules of all chains, each chain's in their order
   */
  public record Table(
      TableName name,
      long handle,
      boolean dormant,
      String comment,
      List<Chain> chains,
      List<Nftables.RuleInfo> rules,
      List<ElementSet> sets) {
    public Table {
      chains = List.copyOf(chains);
      rules = List.copyOf(rules);
      sets = List.copyOf(sets);
    }
  }

  /**
   * A chain.
   *
   * @param handle grows with each chain of its table that is made
   * @param base where it is called, if the kernel calls it
   */
  public record Chain(String name, long handle, Optional<BaseChain> base, String comment) {}

  /**
   * A set or map, also one without a name of its own.
   *
   * @param fields the lengths in bytes of the parts of a key; empty where the kernel does not know
   *     them
   */
  public record ElementSet(
      String name, int flags, int keyLength, List<Integer> fields, List<Entry> entries) {
    private static final int ANONYMOUS = 1;
    private static final int INTERVAL = 4;
    private static final int DYNAMIC = 0x20;

    public ElementSet {
      fields = List.copyOf(fields);
      entries = List.copyOf(entries);
    }

    /** Whether it is written inside of a rule. */
    public boolean isAnonymous() {
      return (flags & ANONYMOUS) != 0;
    }

    /** Whether elements may be ranges. */
    public boolean hasRanges() {
      return (flags & INTERVAL) != 0;
    }

    /** Whether rules add elements for packets. */
    public boolean isDynamic() {
      return (flags & DYNAMIC) != 0;
    }
  }

  /**
   * An element, and what the kernel says of it.
   *
   * @param endsRange whether it is the first key after a range of the elements before it
   * @param catchesAll whether it stands for every key that no other element has
   */
  public record Entry(Element element, boolean endsRange, boolean catchesAll) {}
}
