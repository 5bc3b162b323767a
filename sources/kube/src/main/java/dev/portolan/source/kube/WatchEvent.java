package dev.portolan.source.kube;

/** What a watch tells. */
sealed interface WatchEvent<K, V> {
  /** An object that is new or different. */
  record Put<K, V>(ReceivedObject<K, V> object) implements WatchEvent<K, V> {}

  /** An object that is gone, or that the selector no longer takes. */
  record Gone<K, V>(ReceivedObject<K, V> object) implements WatchEvent<K, V> {}

  /** Everything up to this version was told; {@code endsInitial}: also the state at the start. */
  record Bookmark<K, V>(String resourceVersion, boolean endsInitial) implements WatchEvent<K, V> {}

  /** The watch cannot go on. */
  record Failed<K, V>(ApiStatus status) implements WatchEvent<K, V> {}
}
