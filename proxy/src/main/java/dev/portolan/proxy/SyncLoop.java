package dev.portolan.proxy;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.brain.NodeView;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a backend equal to a view: one sync after another, each from the last image that was
 * applied to the newest one. What changes during a sync waits for the next, as one delta; so
 * nothing queues up before a slow kernel. A failed sync is tried again, ever more slowly, from the
 * last success.
 */
public final class SyncLoop {
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LAST_RETRY = Duration.ofSeconds(30);

  private final NodeView view;
  private final Backend backend;
  private final Listener listener;
  private final Semaphore changes = new Semaphore(0);
  private NodeImage applied;
  private Duration retry = FIRST_RETRY;

  /** Told how syncs end. */
  public interface Listener {
    /** The backend is now equal to {@code after}; {@code before} is what it was equal to. */
    void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took);

    /** A sync failed and is tried again after {@code pause}. */
    void failed(BackendException failure, Duration pause);
  }

  /** A loop that has applied nothing yet. */
  public SyncLoop(NodeView view, Backend backend, Listener listener) {
    this.view = view;
    this.backend = backend;
    this.listener = listener;
    this.applied = NodeImage.unsynced(view.node());
    view.onChange(changes::release);
  }

  /** Syncs once, if the cluster is known and something is to be done; a failure is thrown. */
  public void once() {
    NodeImage newest = view.image();
    if (newest.revision() == applied.revision()) {
      return;
    }
    NodeDelta delta = NodeDelta.between(applied, newest);
    long start = System.nanoTime();
    backend.sync(newest, delta);
    NodeImage before = applied;
    applied = newest;
    listener.applied(before, newest, delta, Duration.ofNanos(System.nanoTime() - start));
  }

  /** Syncs until the thread is interrupted. */
  public void run() throws InterruptedException {
    while (true) {
      try {
        once();
        retry = FIRST_RETRY;
        changes.acquire();
      } catch (BackendException e) {
        listener.failed(e, retry);
        changes.tryAcquire(retry.toMillis(), TimeUnit.MILLISECONDS);
        retry =
            retry.multipliedBy(2).compareTo(LAST_RETRY) < 0 ? retry.multipliedBy(2) : LAST_RETRY;
      }
      changes.drainPermits();
    }
  }
}
