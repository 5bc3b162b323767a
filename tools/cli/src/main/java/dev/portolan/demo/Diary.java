package dev.portolan.demo;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeChange;
import dev.portolan.wiring.NodeEvents;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Records Portolan's events while it runs, so that acts can wait for them. */
final class Diary implements NodeEvents {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Sync last = new Sync(0, Duration.ZERO);
  private String problem = "no result yet";
  private Optional<NodeEvents> audience = Optional.empty();

  /** A revision that the kernel has, and how long it took to write. */
  record Sync(long revision, Duration took) {}

  /** The newest sync. */
  synchronized Sync last() {
    return last;
  }

  /** Waits until the kernel has {@code revision} or a later one. */
  synchronized Sync await(long revision) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (last.revision < revision) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new BackendException(
            "revision " + revision + " did not reach the kernel within 10 s: " + problem);
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return last;
  }

  /** Notifies {@code listener} too, from now on. */
  synchronized void tell(NodeEvents listener) {
    audience = Optional.of(listener);
  }

  @Override
  public synchronized void applied(NodeChange change, Duration took) {
    last = new Sync(change.after().revision(), took);
    notifyAll();
    audience.ifPresent(listener -> listener.applied(change, took));
  }

  @Override
  public synchronized void failed(BackendException failure, Duration took, Duration pause) {
    problem = String.valueOf(failure.getMessage());
    audience.ifPresent(listener -> listener.failed(failure, took, pause));
  }

  @Override
  public synchronized void repaired(int objects, String cause) {
    audience.ifPresent(listener -> listener.repaired(objects, cause));
  }

  @Override
  public synchronized void notRepaired(BackendException failure) {
    problem = String.valueOf(failure.getMessage());
    audience.ifPresent(listener -> listener.notRepaired(failure));
  }

  @Override
  public synchronized void flowsEnded(Cleaning cleaning) {
    audience.ifPresent(listener -> listener.flowsEnded(cleaning));
  }

  @Override
  public synchronized void flowsNotEnded(BackendException failure) {
    problem = String.valueOf(failure.getMessage());
    audience.ifPresent(listener -> listener.flowsNotEnded(failure));
  }

  @Override
  public synchronized void warned(String warning) {
    problem = warning;
    audience.ifPresent(listener -> listener.warned(warning));
  }
}
