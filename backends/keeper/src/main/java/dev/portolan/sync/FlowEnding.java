package dev.portolan.sync;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.conntrack.FlowCleaner;
import dev.portolan.conntrack.SocketCleaner;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeChange;
import java.util.Optional;

/**
 * Ends the flows and sockets that a change made stale. Nothing of Linux is touched where no backend
 * asks.
 */
interface FlowEnding extends AutoCloseable {
  /**
   * Ends what went stale.
   *
   * @throws BackendException where that failed; the next call then covers this change too
   */
  Cleaning end(NodeChange change);

  @Override
  void close();

  /** In the kernel, where {@code backend} leaves connections to it, or connects sockets. */
  static Optional<FlowEnding> of(Backend backend, Keeper.Options options) {
    Optional<SocketCleaner> sockets =
        backend.connectedSockets().map(known -> new SocketCleaner(known, options.tcp()));
    if (!backend.usesConntrack()) {
      return sockets.map(ofSockets -> ending(backend, Optional.empty(), sockets));
    }
    return Optional.of(
        ending(backend, Optional.of(new FlowCleaner(options.namespace(), options.tcp())), sockets));
  }

  private static FlowEnding ending(
      Backend backend, Optional<FlowCleaner> flows, Optional<SocketCleaner> sockets) {
    return new FlowEnding() {
      @Override
      public Cleaning end(NodeChange change) {
        return flows
            .map(cleaner -> cleaner.clean(backend.tracked(change)))
            .orElse(Cleaning.NONE)
            .and(sockets.flatMap(cleaner -> cleaner.clean(change)));
      }

      @Override
      public void close() {
        flows.ifPresent(FlowCleaner::close);
      }
    };
  }
}
