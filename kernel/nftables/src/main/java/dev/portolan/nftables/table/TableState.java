package dev.portolan.nftables.table;

import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All that should be in the table of one family, or the part of it that some services want. Chains
 * and sets that several services share are wanted by each of them. A chain that needs others is
 * wanted together with them, under its own name: a bundle.
 */
public final class TableState {
  private final IpFamily family;
  private final Map<String, Supplier<Collection<Chain>>> bundles = new LinkedHashMap<>();
  private final Map<String, Chain> ownChains = new LinkedHashMap<>();
  private final Map<String, SetType> sets = new LinkedHashMap<>();
  private final Map<String, List<Entry>> entries = new LinkedHashMap<>();
  private final Map<String, Integer> wantedBundles = new LinkedHashMap<>();
  private final Map<String, Integer> wantedSets = new LinkedHashMap<>();

  /** An empty table. */
  public TableState(IpFamily family) {
    this.family = family;
  }

  /** The family of the table. */
  public IpFamily family() {
    return family;
  }

  /** The chains by name; those that services share are made for it, each time. */
  public Map<String, Chain> chains() {
    Map<String, Chain> chains = new LinkedHashMap<>();
    bundles.keySet().forEach(name -> bundle(name).forEach(it -> chains.put(it.name(), it)));
    return chains;
  }

  /** The chains that services do not share. */
  Map<String, Chain> ownChains() {
    return ownChains;
  }

  /** The chain {@code name}, which is wanted, and those that it needs. */
  Collection<Chain> bundle(String name) {
    return Objects.requireNonNull(bundles.get(name)).get();
  }

  /** The sets and maps by name. */
  public Map<String, SetType> sets() {
    return sets;
  }

  /** The elements of each set and map. Equal ones may stand there several times. */
  public Map<String, List<Entry>> entries() {
    return entries;
  }

  /** How often each bundle is wanted. */
  Map<String, Integer> wantedBundles() {
    return wantedBundles;
  }

  /** How often each set is wanted. */
  Map<String, Integer> wantedSets() {
    return wantedSets;
  }

  /**
   * Wants the chain {@code name}, which services share, and those that it needs: {@code make} makes
   * the same ones for each of them. Most changes find them in the kernel, and then they are not
   * made.
   */
  public void want(String name, Supplier<Collection<Chain>> make) {
    bundles.putIfAbsent(name, make);
    wantedBundles.merge(name, 1, Integer::sum);
  }

  /** Wants the set or map {@code name}, which services share, in the same way. */
  public void wantSet(String name, Function<String, SetType> make) {
    sets.computeIfAbsent(name, make);
    entries.computeIfAbsent(name, key -> new ArrayList<>());
    wantedSets.merge(name, 1, Integer::sum);
  }

  /** Adds a chain, and wants it. */
  public void add(Chain chain) {
    ownChains.put(chain.name(), chain);
    bundles.put(chain.name(), () -> List.of(chain));
    wantedBundles.merge(chain.name(), 1, Integer::sum);
  }

  /** Adds a set or map, and wants it. */
  public void add(String name, SetType set) {
    sets.put(name, set);
    wantSet(name, key -> set);
  }

  /** Adds an element to a set or map. */
  public void add(String set, Entry entry) {
    entries.computeIfAbsent(set, key -> new ArrayList<>()).add(entry);
  }

  /**
   * The same in parts of at most {@code size} elements, to be written before everything else:
   * packets find an endpoint only where an element of another map leads them. Those elements are
   * added to {@code last}.
   */
  List<TableState> inParts(int size, TableState last) {
    TableState first = new TableState(family);
    first.bundles.putAll(bundles);
    first.ownChains.putAll(ownChains);
    first.sets.putAll(sets);
    first.wantedBundles.putAll(wantedBundles);
    first.wantedSets.putAll(wantedSets);
    List<TableState> parts = new ArrayList<>();
    parts.add(first);
    entries.forEach((set, all) -> {
      SetType type = sets.get(set);
      if (type == null || !type.holdsEndpoints()) {
        last.entries.computeIfAbsent(set, key -> new ArrayList<>()).addAll(all);
        return;
      }
      for (int from = 0; from < all.size(); from += size) {
        TableState part = new TableState(family);
        part.entries.put(set, all.subList(from, Math.min(all.size(), from + size)));
        parts.add(part);
      }
    });
    return parts;
  }
}
