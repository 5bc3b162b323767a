package dev.portolan.proxy;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.sync.Pace;
import dev.portolan.sync.SyncLoop;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps what a backend programs equal to a feed: syncs, ends the flows that went stale, and watches
 * that what was written stays.
 */
public final class NodeKeeper implements AutoCloseable {
  private final Backend backend;
  private final NodeEvents events;
  private final Optional<FlowEnder> flows;
  private final SyncLoop loop;

  /**
   * What happens to flows when their endpoints are gone.
   *
   * @param ended whether they end at all
   * @param tcp whether those of TCP do too, and not only those of UDP
   * @param namespace whose flows; those of this process's own network namespace where it is empty
   */
  public record Flows(boolean ended, boolean tcp, Optional<Path> namespace) {
    /** For backends that do without the kernel's connection tracking. */
    public static final Flows LEFT_ALONE = new Flows(false, false, Optional.empty());
  }

  /** Keeps {@code backend}, and closes it in the end; nothing is written yet. */
  public NodeKeeper(NodeFeed feed, Backend backend, Flows flows, Pace pace, NodeEvents events) {
    this.backend = backend;
    this.events = events;
    this.flows =
        flows.ended
            ? Optional.of(new FlowEnder(flows.namespace, flows.tcp, events))
            : Optional.empty();
    this.loop =
        new SyncLoop(feed, backend, pace, this.flows.<SyncLoop.Listener>map(f -> f).orElse(events));
  }

  /** Syncs once, if the cluster is known, and leaves nothing for later; a failure is thrown. */
  public void once() {
    loop.once();
    backend.tidy();
  }

  /** Syncs until the thread is interrupted; what was written stays. */
  public void run() throws InterruptedException {
    try (Backend.Watch _ = backend.watch(events)) {
      loop.run();
    }
  }

  /** Removes everything that was written. */
  public void cleanup() {
    backend.cleanup();
  }

  @Override
  public void close() {
    flows.ifPresent(FlowEnder::close);
    backend.close();
  }
}
