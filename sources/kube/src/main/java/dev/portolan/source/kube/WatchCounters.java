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
  private volatile long aliveAt;
  private volatile boolean open;
  private volatile long openSince;
  private volatile long lists;
  private volatile long watches;
  private volatile long errors;
  private volatile String lastError = "";

  WatchCounters(String resource, long now) {
    this.resource = resource;
    this.aliveAt = now;
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
    alive(now);
  }

  /** The server, or its machine, gave a sign of life then. */
  void alive(long then) {
    if (then - aliveAt > 0) {
      aliveAt = then;
    }
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

  /**
   * How long there has been no sign of life. A watch that is open is one, however quiet: it would
   * have ended otherwise.
   */
  Duration silence(long now) {
    return open ? Duration.ZERO : Duration.ofNanos(Math.max(0, now - aliveAt));
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
