package dev.portolan.sync;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a backend equal to a feed: one sync after another, each from the last image that was
 * applied to the newest one. What changes during a sync waits for the next, as one delta; so
 * nothing queues up before a slow kernel. A failed sync is tried again, ever more slowly, from the
 * last success. Once in a while everything is synced, whatever changed.
 */
public final class SyncLoop {
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  private final NodeFeed feed;
  private final Backend backend;
  private final Pace pace;
  private final Listener listener;
  private final Semaphore changes = new Semaphore(0);
  private NodeImage applied;
  private Duration retry = FIRST_RETRY;
  private long ended;
  private long lastFull = System.nanoTime();

  /** Told how syncs end. */
  public interface Listener {
    /** The backend is now equal to {@code after}; {@code before} is what it was equal to. */
    void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took);

    /** A sync failed and is tried again after {@code pause}. */
    void failed(BackendException failure, Duration pause);
  }

  /** A loop that has applied nothing yet. */
  public SyncLoop(NodeFeed feed, Backend backend, Pace pace, Listener listener) {
    this.feed = feed;
    this.backend = backend;
    this.pace = pace;
    this.listener = listener;
    this.applied = NodeImage.unsynced(feed.node());
    this.ended = System.nanoTime() - pace.least().toNanos();
    feed.onChange(changes::release);
  }

  /** Syncs once, if the cluster is known and something is to be done; a failure is thrown. */
  public void once() {
    NodeImage newest = feed.image();
    if (newest.revision() != applied.revision()) {
      sync(applied, newest);
    }
  }

  private void sync(NodeImage from, NodeImage to) {
    NodeDelta delta = NodeDelta.between(from, to);
    long start = System.nanoTime();
    backend.sync(to, delta);
    applied = to;
    ended = System.nanoTime();
    listener.applied(from, to, delta, Duration.ofNanos(ended - start));
  }

  /** Syncs everything again, as if nothing had been applied. */
  private void full() {
    lastFull = System.nanoTime();
    if (applied.isSynced()) {
      applied = NodeImage.unsynced(feed.node());
      once();
    }
  }

  /** Syncs until the thread is interrupted. */
  public void run() throws InterruptedException {
    while (true) {
      try {
        once();
        retry = FIRST_RETRY;
        if (!changes.tryAcquire(untilFull(), TimeUnit.NANOSECONDS)) {
          full();
        }
        rest();
      } catch (BackendException e) {
        listener.failed(e, retry);
        changes.tryAcquire(retry.toMillis(), TimeUnit.MILLISECONDS);
        retry =
            retry.multipliedBy(2).compareTo(pace.longestRetry()) < 0
                ? retry.multipliedBy(2)
                : pace.longestRetry();
      }
      changes.drainPermits();
    }
  }

  private long untilFull() {
    return lastFull + pace.full().toNanos() - System.nanoTime();
  }

  /** Waits until the next sync may start. */
  private void rest() throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(ended + pace.least().toNanos() - System.nanoTime());
  }
}
