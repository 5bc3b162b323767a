package dev.portolan.source.kube;

import java.time.Duration;
import java.util.Optional;

/** Keeps what {@link ResourceState} shows; one thread writes, any may read. */
@SuppressWarnings("NonAtomicVolatileUpdate") // a single thread writes
final class WatchState {
  private final String resource;
  private volatile String version = "";
  private volatile boolean synced;
  private volatile boolean everHeard;
  private volatile long heard;
  private volatile boolean open;
  private volatile long openSince;
  private volatile long lists;
  private volatile long watches;
  private volatile long errors;
  private volatile String lastError = "";

  WatchState(String resource) {
    this.resource = resource;
  }

  /** The version up to which the resource is known; empty where it has to be listed. */
  String version() {
    return version;
  }

  void version(String value) {
    version = value;
  }

  /** All of the resource was read. */
  void listed() {
    lists++;
  }

  /** The server told something, and it was handed on. */
  void heard(long now) {
    heard = now;
    everHeard = true;
    synced = true;
  }

  void opened(long now) {
    watches++;
    openSince = now;
    open = true;
  }

  void closed() {
    open = false;
  }

  void failed(String sentence) {
    errors++;
    lastError = sentence;
  }

  /** For how long a watch has been open; nothing where none is. */
  Duration openFor(long now) {
    return open ? Duration.ofNanos(now - openSince) : Duration.ZERO;
  }

  ResourceState show(long now) {
    Optional<Duration> age =
        everHeard ? Optional.of(Duration.ofNanos(Math.max(0, now - heard))) : Optional.empty();
    return new ResourceState(resource, synced, age, version, lists, watches, errors, lastError);
  }
}
