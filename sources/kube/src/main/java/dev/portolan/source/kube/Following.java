package dev.portolan.source.kube;

import dev.portolan.core.collection.PersistentMap;
import java.io.IOException;

/** One watch from its first event to its last. Events that wait are taken together. */
final class Following<K extends Comparable<? super K>, V> {
  private static final int MOST_AT_ONCE = 1000;

  private final EventStream<K, V> events;
  private final Gathering<K, V> gathering;
  private final Progress<K, V> progress;
  private boolean initial;
  private String version;

  /** Told how the watch goes on. */
  interface Progress<K extends Comparable<? super K>, V> {
    /** The state with which the watch began is complete. */
    void complete();

    /** The server sent a bookmark. */
    void bookmarked(EventStream<K, V> events);

    /** These are the objects as of {@code version}. */
    void handOver(PersistentMap<K, V> objects, String version);
  }

  private Following(
      EventStream<K, V> events,
      Gathering<K, V> gathering,
      boolean initial,
      String version,
      Progress<K, V> progress) {
    this.events = events;
    this.gathering = gathering;
    this.initial = initial;
    this.version = version;
    this.progress = progress;
  }

  /** A watch that begins with the state. */
  static <K extends Comparable<? super K>, V> Following<K, V> state(
      EventStream<K, V> events, Gathering<K, V> gathering, Progress<K, V> progress) {
    return new Following<>(events, gathering, true, "", progress);
  }

  /** A watch of what changes after {@code version}. */
  static <K extends Comparable<? super K>, V> Following<K, V> changes(
      EventStream<K, V> events,
      Gathering<K, V> gathering,
      String version,
      Progress<K, V> progress) {
    return new Following<>(events, gathering, false, version, progress);
  }

  /** Follows until the server ends the watch; whether it told anything. */
  boolean run() throws IOException {
    boolean anything = false;
    while (true) {
      WatchEvent<K, V> event = events.next();
      if (event == null) {
        break;
      }
      take(event);
      anything = true;
      try {
        takeWhatWaits();
      } finally {
        if (!initial) {
          progress.handOver(gathering.objects(), version);
        }
      }
    }
    if (initial) {
      throw DecodeException.truncated();
    }
    return anything;
  }

  private void takeWhatWaits() throws IOException {
    for (int i = 1; i < MOST_AT_ONCE && events.hasNext(); i++) {
      WatchEvent<K, V> event = events.next();
      if (event == null) {
        return;
      }
      take(event);
    }
  }

  private void take(WatchEvent<K, V> event) throws IOException {
    switch (event) {
      case WatchEvent.Put<K, V> put -> {
        advance(put.found().resourceVersion());
        gathering.put(put.found());
      }
      case WatchEvent.Gone<K, V> gone -> {
        advance(gone.found().resourceVersion());
        gathering.remove(gone.found());
      }
      case WatchEvent.Bookmark<K, V> bookmark -> bookmark(bookmark);
      case WatchEvent.Failed<K, V> failed -> throw events.ended(failed.status());
    }
  }

  private void bookmark(WatchEvent.Bookmark<K, V> bookmark) throws IOException {
    if (initial && !bookmark.endsInitial()) {
      // A server that knows of no initial state would never say that it is complete.
      throw new Patience.ExhaustedException();
    }
    if (initial) {
      initial = false;
      progress.complete();
    }
    advance(bookmark.resourceVersion());
    progress.bookmarked(events);
  }

  /** The events of a watch come in order; the state at its start does not. */
  private void advance(String next) throws RefusedException {
    if (initial) {
      return;
    }
    if (Versions.isOlder(next, version)) {
      throw events.ended(
          ApiStatus.of(410, "the server went back from version " + version + " to " + next));
    }
    version = next;
  }
}
