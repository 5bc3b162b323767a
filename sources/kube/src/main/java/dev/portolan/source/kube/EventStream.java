package dev.portolan.source.kube;

import dev.portolan.source.kube.access.ApiResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The events of one watch, as they come. */
final class EventStream<K extends Comparable<? super K>, V> implements AutoCloseable {
  private final ApiResponse response;
  private final Resource<K, V> resource;
  private final Format format;
  private final Input in;
  private final Patience patience;
  private final Timing timing;
  private final Function<ApiStatus, RefusedException> refusal;

  EventStream(
      ApiResponse response,
      Resource<K, V> resource,
      Format format,
      Patience patience,
      Timing timing,
      Function<ApiStatus, RefusedException> refusal) {
    this.response = response;
    this.resource = resource;
    this.format = format;
    this.in = new Input(patience.over(response.body()));
    this.patience = patience;
    this.timing = timing;
    this.refusal = refusal;
  }

  /** Waits for the next event; null where the server ended the watch. */
  @Nullable WatchEvent<K, V> next() throws IOException {
    return format.event(resource, in);
  }

  /** Whether the next event is there without waiting. */
  boolean hasNext() throws IOException {
    return format.hasEvent(in);
  }

  /** What to throw where the server ends the watch with {@code status}. */
  RefusedException ended(ApiStatus status) {
    return refusal.apply(status);
  }

  /** Waits for events until the watch is due to end: the server promised no sign of life before. */
  void grantUntilEnd() {
    patience.grant(Duration.ofDays(1));
  }

  /** Waits for an event no longer than until the next bookmark should have come. */
  void grantBookmarks() {
    patience.grant(timing.bookmark());
  }

  @Override
  public void close() {
    response.close();
  }
}
