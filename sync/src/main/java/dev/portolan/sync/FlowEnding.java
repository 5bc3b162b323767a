package dev.portolan.sync;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.conntrack.FlowCleaner;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeChange;
import java.util.Optional;

/** Ends the flows that a change made stale. Nothing of Linux is touched where no backend asks. */
interface FlowEnding extends AutoCloseable {
  /**
   * Ends what went stale.
   *
   * @throws BackendException where that failed; the next call then covers this change too
   */
  Cleaning end(NodeChange change);

  @Override
  void close();

  /** In the kernel, where {@code backend} leaves connections to it. */
  static Optional<FlowEnding> of(Backend backend, Keeper.Options options) {
    if (!backend.usesConntrack()) {
      return Optional.empty();
    }
    FlowCleaner cleaner = new FlowCleaner(options.namespace(), options.tcp());
    return Optional.of(
        new FlowEnding() {
          @Override
          public Cleaning end(NodeChange change) {
            return cleaner.clean(backend.tracked(change));
          }

          @Override
          public void close() {
            cleaner.close();
          }
        });
  }
}
