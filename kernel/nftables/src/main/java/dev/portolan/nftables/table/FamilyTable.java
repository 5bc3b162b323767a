package dev.portolan.nftables.table;

import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The table of one family: what was written to the kernel, as far as changes need it.
 *
 * <p>Chains, sets and some elements are shared by services, so it counts their users; those of a
 * chain are the bundles that it is in. It does not keep the elements themselves: they follow from
 * the services.
 *
 * <p>Chains and sets that no service wants any more are removed one transaction later: kernels
 * before 6.2 refuse to remove a chain in the transaction that removes the last reference to it. So
 * are the elements of the sets that {@link SharedSets#late()} names.
 */
final class FamilyTable {
  private final IpFamily family;
  private final SharedSets shared;
  private final Map<String, Integer> bundles = new HashMap<>();
  private final Map<String, Integer> chains = new HashMap<>();
  private final Map<String, Integer> sets = new HashMap<>();
  private final Map<String, Map<ElementKey, Integer>> counted = new HashMap<>();
  private final Map<String, Map<ElementKey, Element>> lateElements = new TreeMap<>();
  private final Set<String> lateChains = new LinkedHashSet<>();
  private final Set<String> lateSets = new LinkedHashSet<>();

  FamilyTable(IpFamily family, SharedSets shared) {
    this.family = family;
    this.shared = shared;
  }

  /** Forgets everything and takes {@code state} for what the kernel has. */
  void reset(TableState state) {
    forget();
    bundles.putAll(state.wantedBundles());
    chains.putAll(uses(state, bundles.keySet()));
    sets.putAll(state.wantedSets());
    for (String set : shared.counted()) {
      Map<ElementKey, Integer> counts = counted.computeIfAbsent(set, key -> new HashMap<>());
      for (Entry entry : state.entries().getOrDefault(set, List.of())) {
        counts.merge(ElementKey.of(entry.element()), 1, Integer::sum);
      }
    }
  }

  /** Records what is in the kernel but unused; it is removed with the next change. */
  void removeLater(Set<String> unwantedChains, Set<String> unwantedSets) {
    lateChains.addAll(unwantedChains);
    lateSets.addAll(unwantedSets);
  }

  /** Forgets everything, because the kernel's state is not known. */
  void forget() {
    bundles.clear();
    chains.clear();
    sets.clear();
    counted.clear();
    lateElements.clear();
    lateChains.clear();
    lateSets.clear();
  }

  /** Whether something waits to be removed. */
  boolean hasLeftovers() {
    return !(lateElements.isEmpty() && lateChains.isEmpty() && lateSets.isEmpty());
  }

  /** Adds to {@code batch} what leads from one part of the table to another. */
  void change(Batch batch, TableState before, TableState after) {
    batch.family(netlink(family));
    Set<String> newBundles = new LinkedHashSet<>();
    Set<String> goneBundles =
        recount(bundles, before.wantedBundles(), after.wantedBundles(), newBundles);
    Map<String, Chain> wanted = new LinkedHashMap<>();
    newBundles.forEach(name -> after.bundle(name).forEach(it -> wanted.put(it.name(), it)));
    Set<String> newChains = new LinkedHashSet<>();
    Set<String> goneChains =
        recount(chains, uses(before, goneBundles), uses(after, newBundles), newChains);
    Set<String> newSets = new LinkedHashSet<>();
    Set<String> goneSets = recount(sets, before.wantedSets(), after.wantedSets(), newSets);
    Set<String> rewritten = new LinkedHashSet<>(newChains);
    rewritten.retainAll(lateChains);
    newChains.removeAll(rewritten);
    lateChains.removeAll(rewritten);
    newSets.removeIf(lateSets::remove);
    Changes elements = elements(before, after);
    Map<String, List<Element>> leftoverElements = new TreeMap<>();
    lateElements.forEach((set, late) -> leftoverElements.put(set, List.copyOf(late.values())));
    List<String> leftoverChains = List.copyOf(lateChains);
    List<String> leftoverSets = List.copyOf(lateSets);

    newSets.forEach(name -> batch.addSet(type(after, name).spec(name, family)));
    List<Chain> made = new ArrayList<>();
    newChains.forEach(name -> made.add(Objects.requireNonNull(wanted.get(name))));
    made.forEach(chain -> batch.addChain(chain.name(), chain.hook(), chain.comment()));
    made.forEach(chain -> addRules(batch, chain));
    for (Chain chain : after.ownChains().values()) {
      Chain old = before.ownChains().get(chain.name());
      if (old != null && !old.equals(chain) && !newChains.contains(chain.name())) {
        rewritten.add(chain.name());
        wanted.put(chain.name(), chain);
      }
    }
    for (String name : rewritten) {
      batch.flushChain(name);
      addRules(batch, Objects.requireNonNull(wanted.get(name)));
    }
    leftoverElements.forEach(batch::deleteElements);
    elements.removed().forEach(batch::deleteElements);
    elements.added().forEach(batch::addElements);
    leftoverChains.forEach(batch::flushChain);
    leftoverSets.forEach(batch::deleteSet);
    leftoverChains.forEach(batch::deleteChain);

    lateElements.clear();
    lateChains.clear();
    lateSets.clear();
    lateElements.putAll(elements.late());
    lateChains.addAll(goneChains);
    lateSets.addAll(goneSets);
  }

  /** Elements to remove, then to add, and to remove with the next change; by set. */
  private record Changes(
      Map<String, List<Element>> removed,
      Map<String, List<Element>> added,
      Map<String, Map<ElementKey, Element>> late) {}

  private Changes elements(TableState before, TableState after) {
    Changes changes = new Changes(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    Set<String> names = new LinkedHashSet<>(before.entries().keySet());
    names.addAll(after.entries().keySet());
    for (String name : names) {
      List<Entry> all = before.entries().getOrDefault(name, List.of());
      List<Entry> wanted = after.entries().getOrDefault(name, List.of());
      List<Entry> gone = new ArrayList<>();
      List<Entry> come = new ArrayList<>();
      compare(all, wanted, gone, come);
      if (shared.counted().contains(name)) {
        changeCounted(name, gone, come, changes);
        continue;
      }
      if (gone.isEmpty()) {
        changes.added.put(name, SharedSets.elements(come));
        continue;
      }
      Map<ElementKey, Element> old = byKey(gone);
      Map<ElementKey, Element> now = byKey(come);
      old.forEach((key, element) -> {
        if (!element.equals(now.get(key))) {
          add(changes.removed, name, element);
        }
      });
      now.forEach((key, element) -> {
        if (!element.equals(old.get(key))) {
          add(changes.added, name, element);
        }
      });
    }
    return changes;
  }

  /** Finds those that differ, place by place; to make elements of all would cost far more. */
  private static void compare(
      List<Entry> before, List<Entry> after, List<Entry> gone, List<Entry> come) {
    int both = Math.min(before.size(), after.size());
    for (int i = 0; i < both; i++) {
      if (!before.get(i).equals(after.get(i))) {
        gone.add(before.get(i));
        come.add(after.get(i));
      }
    }
    gone.addAll(before.subList(both, before.size()));
    come.addAll(after.subList(both, after.size()));
  }

  /** Elements that several services may want are added by the first and removed by the last. */
  private void changeCounted(String name, List<Entry> gone, List<Entry> come, Changes changes) {
    Map<ElementKey, Integer> counts = counted.computeIfAbsent(name, key -> new HashMap<>());
    if (gone.isEmpty()) {
      for (Entry entry : come) {
        Element element = entry.element();
        ElementKey key = ElementKey.of(element);
        if (counts.merge(key, 1, Integer::sum) == 1) {
          addFirst(changes, name, key, element);
        }
      }
      return;
    }
    Map<ElementKey, Element> old = byKey(gone);
    Map<ElementKey, Element> now = byKey(come);
    Map<ElementKey, Integer> difference = new LinkedHashMap<>();
    come.forEach(entry -> difference.merge(ElementKey.of(entry.element()), 1, Integer::sum));
    gone.forEach(entry -> difference.merge(ElementKey.of(entry.element()), -1, Integer::sum));
    difference.forEach((key, by) -> {
      int had = counts.getOrDefault(key, 0);
      int has = had + by;
      if (has == 0) {
        counts.remove(key);
      } else {
        counts.put(key, has);
      }
      if (had == 0 && has > 0) {
        addFirst(changes, name, key, Objects.requireNonNull(now.get(key)));
      } else if (had > 0 && has == 0) {
        Element last = Objects.requireNonNull(old.get(key));
        if (shared.late().contains(name)) {
          changes.late.computeIfAbsent(name, set -> new LinkedHashMap<>()).put(key, last);
        } else {
          add(changes.removed, name, last);
        }
      }
    });
  }

  /** Adds an element that nothing needed yet, unless it is still there. */
  private void addFirst(Changes changes, String name, ElementKey key, Element element) {
    Map<ElementKey, Element> late = lateElements.get(name);
    if (late == null || late.remove(key) == null) {
      add(changes.added, name, element);
    }
  }

  private void addRules(Batch batch, Chain chain) {
    for (Rule rule : chain.rules()) {
      batch.addRule(chain.name(), rule.encode(family), rule.comment());
    }
  }

  /** How many of these bundles each chain is in. */
  private static Map<String, Integer> uses(TableState state, Set<String> bundles) {
    Map<String, Integer> uses = new LinkedHashMap<>();
    for (String name : bundles) {
      state.bundle(name).forEach(chain -> uses.merge(chain.name(), 1, Integer::sum));
    }
    return uses;
  }

  /**
   * Updates the counts; returns what is no longer used, and adds to {@code first} what is newly
   * used.
   */
  private static Set<String> recount(
      Map<String, Integer> counts,
      Map<String, Integer> before,
      Map<String, Integer> after,
      Set<String> first) {
    Map<String, Integer> difference = new LinkedHashMap<>(after);
    before.forEach((name, times) -> difference.merge(name, -times, Integer::sum));
    Set<String> gone = new LinkedHashSet<>();
    difference.forEach((name, by) -> {
      int had = counts.getOrDefault(name, 0);
      int has = had + by;
      if (has == 0) {
        counts.remove(name);
      } else {
        counts.put(name, has);
      }
      if (had == 0 && has > 0) {
        first.add(name);
      } else if (had > 0 && has == 0) {
        gone.add(name);
      }
    });
    return gone;
  }

  static Map<ElementKey, Element> byKey(List<Entry> entries) {
    Map<ElementKey, Element> elements = new LinkedHashMap<>();
    for (Entry entry : entries) {
      Element element = entry.element();
      elements.put(ElementKey.of(element), element);
    }
    return elements;
  }

  private static void add(Map<String, List<Element>> lists, String name, Element element) {
    lists.computeIfAbsent(name, key -> new ArrayList<>()).add(element);
  }

  private static SetType type(TableState state, String name) {
    return Objects.requireNonNull(state.sets().get(name));
  }

  /** A family in the terms of netlink. */
  static AddressFamily netlink(IpFamily family) {
    return switch (family) {
      case IPV4 -> AddressFamily.IPV4;
      case IPV6 -> AddressFamily.IPV6;
    };
  }
}
