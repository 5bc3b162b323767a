package dev.portolan.nftables.table;

import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.Nftables.SetInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What makes the elements of a set or map equal to the wanted ones.
 *
 * @param lacking those to be added
 * @param replaced those of the kernel that have the keys of some of them, and other values
 * @param surplus those of the kernel that have other keys
 * @param unknown how many others the kernel has, whose keys are not known; if there are any, all of
 *     its elements go, and all that are wanted are lacking
 */
record ElementDifference(
    List<Element> lacking, List<Element> replaced, List<Element> surplus, int unknown) {
  /** All are lacking, because there is no such set yet. */
  static ElementDifference ofNew(Collection<Element> wanted) {
    return new ElementDifference(List.copyOf(wanted), List.of(), List.of(), 0);
  }

  /** Compares with what the kernel has in {@code set}. */
  static ElementDifference of(
      KernelTables kernel, IpFamily family, SetInfo set, SetType type, Collection<Element> wanted) {
    // A key of a range may be found in another one.
    if (!KernelTables.isLarge(set) || type.ranges()) {
      return inAll(kernel.elements(family, set.name()), wanted);
    }
    ElementDifference difference = new ElementDifference();
    List<Element> ordered = List.copyOf(wanted);
    List<@Nullable Element> found = kernel.elements(family, set.name(), ordered);
    int missing = 0;
    for (int i = 0; i < ordered.size(); i++) {
      Element there = found.get(i);
      missing += there == null ? 1 : 0;
      difference.add(ordered.get(i), there);
    }
    int unknown = set.count().orElse(0) - (ordered.size() - missing);
    if (unknown == 0) {
      return difference;
    }
    // Counts would be lost with their elements.
    return unknown > 0 && !type.counts()
        ? new ElementDifference(ordered, List.of(), List.of(), unknown)
        : inAll(kernel.elements(family, set.name()), wanted);
  }

  private static ElementDifference inAll(List<Element> there, Collection<Element> wanted) {
    ElementDifference difference = new ElementDifference();
    Map<ElementKey, @Nullable Element> found = HashMap.newHashMap(there.size());
    there.forEach(element -> found.put(ElementKey.of(element), element));
    for (Element element : wanted) {
      ElementKey key = ElementKey.of(element);
      Element same = found.get(key);
      // An equal one may stand there several times.
      if (same != null || !found.containsKey(key)) {
        difference.add(element, same);
        found.put(key, null);
      }
    }
    found.values().stream().filter(Objects::nonNull).forEach(difference.surplus::add);
    return difference;
  }

  private ElementDifference() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), 0);
  }

  /** How many elements were missing, different or too many. */
  int size() {
    return unknown > 0 ? unknown : lacking.size() + surplus.size();
  }

  /** Adds to {@code batch} what removes elements; those that are lacking are added later. */
  void remove(Batch batch, String set) {
    if (unknown > 0) {
      batch.flushSet(set);
    }
    batch.deleteElements(set, replaced);
    batch.deleteElements(set, surplus);
  }

  private void add(Element wanted, @Nullable Element there) {
    if (!wanted.equals(there)) {
      lacking.add(wanted);
      if (there != null) {
        replaced.add(there);
      }
    }
  }
}
