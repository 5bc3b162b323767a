package dev.portolan.client;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.sync.Pace;
import dev.portolan.sync.SyncLoop;
import java.time.Duration;

/**
 * Runs a backend on what a brain behind a connection decides, and acknowledges to the brain what it
 * has applied.
 *
 * <p>The backend is called as it is in the brain's own process: by the same {@link SyncLoop}.
 */
public final class BackendRunner {
  private final Connection connection;
  private final Subscription subscription;
  private final Backend backend;
  private final Pace pace;
  private final SyncLoop.Listener listener;

  /** Listens to nothing. */
  private static final SyncLoop.Listener SILENT =
      new SyncLoop.Listener() {
        @Override
        public void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took) {}

        @Override
        public void failed(BackendException failure, Duration pause) {}
      };

  /** Runs {@code backend} as fast as it can. */
  public BackendRunner(Connection connection, Subscription subscription, Backend backend) {
    this(connection, subscription, backend, Pace.DEFAULT, SILENT);
  }

  /** Runs {@code backend} at {@code pace}; {@code listener} is notified of the outcome of syncs. */
  public BackendRunner(
      Connection connection,
      Subscription subscription,
      Backend backend,
      Pace pace,
      SyncLoop.Listener listener) {
    this.connection = connection;
    this.subscription = subscription;
    this.backend = backend;
    this.pace = pace;
    this.listener = listener;
  }

  /** Runs until the thread is interrupted; what was applied stays. */
  public void run() throws InterruptedException {
    try (RemoteNode node = RemoteNode.open(connection, subscription)) {
      new SyncLoop(node, backend, pace, new Acknowledging(node)).run();
    }
  }

  /** Notifies the brain first, then the other observers. */
  private final class Acknowledging implements SyncLoop.Listener {
    private final RemoteNode node;

    Acknowledging(RemoteNode node) {
      this.node = node;
    }

    @Override
    public void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took) {
      node.applied(after);
      listener.applied(before, after, delta, took);
    }

    @Override
    public void failed(BackendException failure, Duration pause) {
      node.failed(String.valueOf(failure.getMessage()));
      listener.failed(failure, pause);
    }
  }
}
