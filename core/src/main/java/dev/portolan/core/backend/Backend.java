package dev.portolan.core.backend;

import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;

/**
 * Makes something equal to what was decided for a node: a kernel, a file, a screen.
 *
 * <p>Scheduling, retries, coalescing, health and metrics are done outside, once for all backends.
 * One thread at a time calls.
 */
public interface Backend {
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
}
