package dev.portolan.walk.nft.table;

import dev.portolan.nftables.Element;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a set or map, found by a packet's key as the kernel finds them: plain keys in a
 * hash table, ranges of one field by their order, ranges of several fields one by one among those
 * whose first fields fit.
 */
public final class ElementIndex {
  private final NftDump.ElementSet set;
  private final Map<Key, Element> plain = new HashMap<>();

  /** Where ranges of one field begin and end, in order. */
  private final List<NftDump.Entry> bounds = new ArrayList<>();

  /** Ranges of several fields, by the bytes of the fields that are exact in all of them. */
  private final Map<Key, List<Element>> concatenated = new HashMap<>();

  private final int exactBytes;
  private @Nullable Element catchAll;

  /** The first bytes of a key. */
  @SuppressWarnings("ArrayRecordComponent") // compared by content
  private record Key(byte[] bytes, int length) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && Arrays.equals(bytes, 0, length, key.bytes, 0, key.length);
    }

    @Override
    public int hashCode() {
      int hash = 1;
      for (int i = 0; i < length; i++) {
        hash = 31 * hash + bytes[i];
      }
      return hash;
    }
  }

  ElementIndex(NftDump.ElementSet set) {
    this.set = set;
    boolean several = set.fields().size() > 1 && set.hasRanges();
    exactBytes = several ? exactBytes(set) : 0;
    for (NftDump.Entry entry : set.entries()) {
      Element element = entry.element();
      if (entry.catchesAll()) {
        catchAll = element;
      } else if (several) {
        concatenated
            .computeIfAbsent(new Key(element.key(), exactBytes), key -> new ArrayList<>())
            .add(element);
      } else if (set.hasRanges()) {
        bounds.add(entry);
      } else {
        plain.put(new Key(element.key(), element.key().length), element);
      }
    }
    // Where one range ends and the next begins with the same key, the key is in the next.
    bounds.sort(
        Comparator.comparing(
                (NftDump.Entry entry) -> entry.element().key(), Arrays::compareUnsigned)
            .thenComparing(entry -> !entry.endsRange()));
  }

  /** What it is. */
  public NftDump.ElementSet set() {
    return set;
  }

  /** The element that has {@code key}, which is as long as the set's keys. */
  public Optional<Element> find(byte[] key) {
    Element found =
        !concatenated.isEmpty()
            ? among(concatenated.getOrDefault(new Key(key, exactBytes), List.of()), key)
            : !bounds.isEmpty() ? inBounds(key) : plain.get(new Key(key, key.length));
    return Optional.ofNullable(found == null ? catchAll : found);
  }

  private @Nullable Element among(List<Element> candidates, byte[] key) {
    for (Element element : candidates) {
      byte[] last = element.keyEnd().length == 0 ? element.key() : element.keyEnd();
      boolean inside = true;
      int start = 0;
      for (int i = 0; i < set.fields().size() && inside; i++) {
        int end = start + set.fields().get(i);
        inside =
            Arrays.compareUnsigned(key, start, end, element.key(), start, end) >= 0
                && Arrays.compareUnsigned(key, start, end, last, start, end) <= 0;
        start = padded(end);
      }
      if (inside) {
        return element;
      }
    }
    return null;
  }

  private @Nullable Element inBounds(byte[] key) {
    int low = 0;
    int high = bounds.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(bounds.get(middle).element().key(), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 || bounds.get(low - 1).endsRange() ? null : bounds.get(low - 1).element();
  }

  /** How many bytes of the first fields are the same at both ends of all ranges. */
  private static int exactBytes(NftDump.ElementSet set) {
    int exact = 0;
    for (int field : set.fields()) {
      int start = exact;
      int end = start + field;
      boolean same =
          set.entries().stream()
              .map(NftDump.Entry::element)
              .allMatch(it ->
                  it.keyEnd().length == 0
                      || (it.key().length >= end
                          && Arrays.equals(it.key(), start, end, it.keyEnd(), start, end)));
      if (!same) {
        break;
      }
      exact = padded(end);
    }
    return Math.min(exact, set.keyLength());
  }

  private static int padded(int length) {
    return (length + 3) & ~3;
  }
}
