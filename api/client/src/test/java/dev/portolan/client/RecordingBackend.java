package dev.portolan.client;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeChange;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend that records its calls, in words that do not depend on revisions. */
final class RecordingBackend implements Backend {
  final List<String> synced = new CopyOnWriteArrayList<>();
  final AtomicInteger failures = new AtomicInteger();
  volatile boolean closed;

  @Override
  public void sync(NodeChange change) {
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new BackendException("out of order");
    }
    synced.add(
        "facts "
            + change.factsChanged()
            + " set "
            + change.set()
            + " removed "
            + change.removed()
            + " of "
            + change.after().services().size());
  }

  @Override
  public void cleanup() {
    synced.clear();
  }

  @Override
  public void close() {
    closed = true;
  }
}
