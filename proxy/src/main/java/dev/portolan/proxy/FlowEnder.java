package dev.portolan.proxy;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.conntrack.FlowCleaner;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.sync.SyncLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Ends stale flows after each sync, and passes on the sync loop's events. */
public final class FlowEnder implements SyncLoop.Listener, AutoCloseable {
  private final FlowCleaner cleaner;
  private final NodeEvents events;

  /** Ends flows in {@code namespace}, or in this process's own. */
  public FlowEnder(Optional<Path> namespace, boolean endTcp, NodeEvents events) {
    this.events = events;
    try {
      this.cleaner = new FlowCleaner(namespace, endTcp);
    } catch (NetlinkException e) {
      throw new BackendException("conntrack: " + e.getMessage(), e);
    }
  }

  @Override
  public void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took) {
    events.applied(before, after, delta, took);
    Cleaning cleaning;
    try {
      cleaning = cleaner.clean(after);
    } catch (NetlinkException e) {
      events.notCleaned(e);
      return;
    }
    events.cleaned(cleaning);
  }

  @Override
  public void failed(BackendException failure, Duration pause) {
    events.failed(failure, pause);
  }

  @Override
  public void close() {
    cleaner.close();
  }
}
