package dev.portolan.sync;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend that remembers its syncs, and fails or waits when it is told to. */
final class FakeBackend implements Backend {
  final List<NodeDelta> synced = new CopyOnWriteArrayList<>();
  final AtomicInteger failures = new AtomicInteger();
  final Semaphore attempts = new Semaphore(0);
  volatile Semaphore permits = new Semaphore(1_000_000);

  /** Fails so many times from now on. */
  void fail(int times) {
    failures.set(times);
  }

  /** Lets no sync end until {@code permits} has a permit for it. */
  void hold() {
    permits = new Semaphore(0);
  }

  @Override
  public void sync(NodeImage image, NodeDelta delta) {
    attempts.release();
    permits.acquireUninterruptibly();
    if (failures.get() > 0) {
      failures.decrementAndGet();
      throw new BackendException("out of order");
    }
    synced.add(delta);
  }

  @Override
  public void cleanup() {
    synced.clear();
  }
}
