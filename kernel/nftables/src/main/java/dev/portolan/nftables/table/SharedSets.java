package dev.portolan.nftables.table;

import dev.portolan.nftables.Element;
import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Which sets of a table have elements that several services may want.
 *
 * @param counted these sets: the first service that wants an element adds it, the last removes it
 * @param late those of them whose elements are removed one transaction later, because a packet that
 *     is under way meets them only after it was sent to an endpoint
 */
public record SharedSets(Set<String> counted, Set<String> late) {
  public SharedSets {
    counted = Set.copyOf(counted);
    late = Set.copyOf(late);
    if (!counted.containsAll(late)) {
      throw new IllegalArgumentException("a set whose elements go late is a counted one");
    }
  }

  /** The elements of a set, each once. */
  Collection<Element> distinct(String set, List<Entry> entries) {
    return counted.contains(set) ? FamilyTable.byKey(entries).values() : elements(entries);
  }

  /**
   * The elements of {@code entries}. They are made as they are asked for: there may be very many,
   * and most are needed once.
   */
  static List<Element> elements(List<Entry> entries) {
    return new AbstractList<>() {
      @Override
      public Element get(int index) {
        return entries.get(index).element();
      }

      @Override
      public int size() {
        return entries.size();
      }
    };
  }
}
