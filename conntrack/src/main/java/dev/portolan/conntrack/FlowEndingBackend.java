package dev.portolan.conntrack;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.NetlinkException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A backend after whose every sync the flows end that went stale with it; for authors of backends
 * that leave connections to conntrack.
 *
 * <p>Flows that could not be ended do not make the sync fail; the next one tries again.
 */
public final class FlowEndingBackend implements Backend, AutoCloseable {
  private final Backend backend;
  private final FlowCleaner cleaner;
  private final Consumer<String> problems;

  /**
   * Wraps {@code backend}, in this process's network namespace.
   *
   * @param endTcp whether TCP flows to endpoints that stopped serving are to end too
   * @param problems told in a sentence what could not be ended
   * @throws BackendException where the kernel does not let this process look at flows
   */
  public FlowEndingBackend(Backend backend, boolean endTcp, Consumer<String> problems) {
    this(backend, Optional.empty(), endTcp, problems);
  }

  /** The same in the network namespace that {@code namespace} names. */
  public FlowEndingBackend(
      Backend backend, Optional<Path> namespace, boolean endTcp, Consumer<String> problems) {
    this.backend = backend;
    this.problems = problems;
    try {
      this.cleaner = new FlowCleaner(namespace, endTcp);
    } catch (NetlinkException e) {
      throw new BackendException("conntrack: " + e.getMessage(), e);
    }
  }

  @Override
  public void sync(NodeImage image, NodeDelta delta) {
    backend.sync(image, delta);
    try {
      cleaner
          .clean(image)
          .firstFailure()
          .ifPresent(failure -> problems.accept("conntrack: " + failure.getMessage()));
    } catch (NetlinkException e) {
      problems.accept("conntrack: " + e.getMessage());
    }
  }

  @Override
  public void cleanup() {
    backend.cleanup();
  }

  @Override
  public void close() {
    cleaner.close();
  }
}
