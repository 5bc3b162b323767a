package dev.portolan.source.kube.wire;

/** An event of a watch. */
public sealed interface WatchEvent<K, V> {
  /** An object that is new or different. */
  record Put<K, V>(ReceivedObject<K, V> object) implements WatchEvent<K, V> {}

  /** An object that was deleted, or that no longer matches the selector. */
  record Gone<K, V>(ReceivedObject<K, V> object) implements WatchEvent<K, V> {}

  /** Everything up to this version was sent. */
  record Bookmark<K, V>(String resourceVersion) implements WatchEvent<K, V> {}

  /** The watch cannot go on. */
  record Failed<K, V>(ApiStatus status) implements WatchEvent<K, V> {}
}
