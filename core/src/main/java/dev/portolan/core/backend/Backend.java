package dev.portolan.core.backend;

import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;

/**
 * Makes something equal to what was decided for a node: a kernel, a file, a screen.
 *
 * <p>Scheduling, retries, coalescing, health and metrics are done outside, once for all backends.
 * One thread at a time calls.
 */
public interface Backend extends AutoCloseable {
  /**
   * Makes the world equal to {@code image}, and returns only when it is.
   *
   * @param delta what leads to {@code image} from the last image that was applied; the first one
   *     leads from nothing, and so does one from time to time, so that all is compared
   * @throws BackendException naming what failed; the next call has a delta since the last success
   */
  void sync(NodeImage image, NodeDelta delta);

  /** Removes every trace of this backend. */
  void cleanup();

  /** Does at once what a sync may leave for a quiet moment. */
  default void tidy() {}

  /**
   * Watches from now on that what was applied stays, and repairs it where somebody else changed it.
   * A backend that cannot tell watches nothing.
   */
  default Watch watch(DriftListener listener) {
    return () -> {};
  }

  /** Lets go of what the backend holds; what was applied stays. */
  @Override
  default void close() {}

  /** Goes on until it is closed. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
