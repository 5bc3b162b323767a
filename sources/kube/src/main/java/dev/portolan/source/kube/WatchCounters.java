package dev.portolan.source.kube;

import java.time.Duration;
import java.util.Optional;

/** Counts what {@link ResourceState} shows; one thread writes, any thread may read. */
@SuppressWarnings("NonAtomicVolatileUpdate") // a single thread writes
final class WatchCounters {
  private final String resource;
  private volatile String version = "";
  private volatile boolean synced;
  private volatile long heardAt;
  private volatile boolean open;
  private volatile long openSince;
  private volatile long lists;
  private volatile long watches;
  private volatile long errors;
  private volatile String lastError = "";

  WatchCounters(String resource) {
    this.resource = resource;
  }

  /** The resource is known up to {@code value}; empty where everything has to be read. */
  void version(String value) {
    version = value;
  }

  /** Everything was read. */
  void listed() {
    lists++;
  }

  /** The server sent something, and it was handed over. */
  void heard(long now) {
    heardAt = now;
    synced = true;
  }

  /** A watch was opened. */
  void opened(long now) {
    watches++;
    openSince = now;
    open = true;
  }

  /** The watch ended. */
  void closed() {
    open = false;
  }

  /** Something failed. */
  void failed(String sentence) {
    errors++;
    lastError = sentence;
  }

  /** How long a watch has been open; zero where none is. */
  Duration openFor(long now) {
    return open ? Duration.ofNanos(now - openSince) : Duration.ZERO;
  }

  /** The counters as they are now. */
  ResourceState state(long now) {
    Optional<Duration> age =
        synced ? Optional.of(Duration.ofNanos(Math.max(0, now - heardAt))) : Optional.empty();
    return new ResourceState(resource, synced, age, version, lists, watches, errors, lastError);
  }
}
