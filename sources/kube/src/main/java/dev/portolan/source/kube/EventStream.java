package dev.portolan.source.kube;

import dev.portolan.apiserver.ApiResponse;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.source.kube.wire.ApiStatus;
import dev.portolan.source.kube.wire.InputBuffer;
import dev.portolan.source.kube.wire.ReadTimeout;
import dev.portolan.source.kube.wire.ReceivedObject;
import dev.portolan.source.kube.wire.Resource;
import dev.portolan.source.kube.wire.WatchEvent;
import dev.portolan.source.kube.wire.WireFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One watch from its first event to its last. Events that have arrived are taken together. */
final class EventStream<K extends Comparable<? super K>, V> implements AutoCloseable {
  private static final int MOST_AT_ONCE = 1000;
  private static final Duration UNTIL_THE_WATCH_ENDS = Duration.ofDays(1);

  private final ApiResponse response;
  private final Opening<K, V> opening;
  private final ObjectCache<K, V> cache;
  private final InputBuffer in;
  private String version;
  private boolean sendsBookmarks;
  private @Nullable IOException failure;

  /**
   * What a stream has to know of the request it answers.
   *
   * @param timeout for the next bytes
   * @param bookmark how long the server may be silent where it sends bookmarks
   * @param refusal what to throw where the server ends the watch with a status
   */
  record Opening<K extends Comparable<? super K>, V>(
      Resource<K, V> resource,
      WireFormat format,
      ReadTimeout timeout,
      Duration bookmark,
      Function<ApiStatus, RefusedException> refusal) {}

  /** The objects as of a version. */
  record Snapshot<K extends Comparable<? super K>, V>(
      PersistentMap<K, V> objects, String version) {}

  /** A watch of what changes after {@code version}, up to which {@code cache} is known. */
  EventStream(
      ApiResponse response,
      Opening<K, V> opening,
      ObjectCache<K, V> cache,
      String version,
      boolean sendsBookmarks) {
    this.response = response;
    this.opening = opening;
    this.cache = cache;
    this.in = new InputBuffer(response.body(), opening.timeout());
    this.version = version;
    this.sendsBookmarks = sendsBookmarks;
    opening.timeout().allow(sendsBookmarks ? opening.bookmark() : UNTIL_THE_WATCH_ENDS);
  }

  /**
   * Waits for events, and takes those that have arrived; null where the server ended the watch. If
   * one of them fails, those before it still count, and the next call throws.
   */
  @Nullable Snapshot<K, V> next() throws IOException {
    if (!takeEvent()) {
      return null;
    }
    takeArrived();
    return new Snapshot<>(cache.objects(), version);
  }

  /** Whether this server sends bookmarks, as far as is known. */
  boolean sendsBookmarks() {
    return sendsBookmarks;
  }

  @Override
  public void close() {
    response.close();
  }

  private void takeArrived() {
    try {
      int taken = 1;
      while (taken < MOST_AT_ONCE && opening.format().hasEvent(in) && takeEvent()) {
        taken++;
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private boolean takeEvent() throws IOException {
    if (failure != null) {
      throw failure;
    }
    WatchEvent<K, V> event = opening.format().event(opening.resource(), in);
    switch (event) {
      case null -> {
        return false;
      }
      case WatchEvent.Put<K, V>(ReceivedObject<K, V> object) -> {
        advance(object.resourceVersion());
        cache.put(object);
      }
      case WatchEvent.Gone<K, V>(ReceivedObject<K, V> object) -> {
        advance(object.resourceVersion());
        cache.remove(object);
      }
      case WatchEvent.Bookmark<K, V>(String at) -> bookmark(at);
      case WatchEvent.Failed<K, V>(ApiStatus status) -> throw opening.refusal().apply(status);
    }
    return true;
  }

  private void bookmark(String at) throws RefusedException {
    advance(at);
    // A server that sends bookmarks does so about once a minute, so a longer silence is a failure.
    sendsBookmarks = true;
    opening.timeout().allow(opening.bookmark());
  }

  /** Events come in order of their versions. */
  private void advance(String next) throws RefusedException {
    if (Versions.isOlder(next, version)) {
      throw opening
          .refusal()
          .apply(ApiStatus.of(410, "the server went back from version " + version + " to " + next));
    }
    version = next;
  }
}
