package dev.portolan.client;

import dev.portolan.core.collection.PersistentMap;

/** Lets a state that came as a whole share with the one before whatever is equal. */
final class Sharing {
  private Sharing() {}

  /**
   * The entries of {@code after}, made from {@code before}; the very same map if nothing differs.
   */
  static <K extends Comparable<? super K>, V> PersistentMap<K, V> merge(
      PersistentMap<K, V> before, PersistentMap<K, V> after) {
    if (before.isEmpty()) {
      return after;
    }
    Merge<K, V> merge = new Merge<>(before);
    before.diff(after, (key, old, now) -> merge.map = merge.map.put(key, now));
    return merge.map;
  }

  private static final class Merge<K extends Comparable<? super K>, V> {
    private PersistentMap<K, V> map;

    Merge(PersistentMap<K, V> map) {
      this.map = map;
    }
  }
}
