package dev.portolan.core.backend;

import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServicePort;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes something equal to what was decided for a node: a kernel, a file, a screen.
 *
 * <p>When it is called is a matter of the keeper, which is the same for all backends: pacing,
 * retries, repairs, the end of stale flows, health and metrics are done there. One thread at a time
 * calls. No backend has to remember an image; it is handed what it needs.
 *
 * <p>Any exception is a failure that is reported and retried. A {@link BackendException} says what
 * to do about it; any other is reported with its type and the line that threw it.
 */
public interface Backend extends AutoCloseable {
  /**
   * Makes the world equal to {@code change.after()}, and returns only when it is.
   *
   * @param change what leads there from the last image that was applied. Where it {@link
   *     NodeChange#isFull}, as the first one is and one from time to time, everything is to be
   *     compared with the world
   * @throws BackendException naming what failed; the next change starts from the last success
   */
  void sync(NodeChange change);

  /** Removes every trace of this backend. */
  void cleanup();

  /**
   * Whether nothing serves the node's services through this backend yet, so that a first sync of a
   * few of them takes nothing away. A backend that does not check returns false.
   *
   * @throws BackendException where that cannot be found out
   */
  default boolean isBlank() {
    return false;
  }

  /**
   * Whether connections are left to the kernel's connection tracking; flows that a change makes
   * stale are then ended after each sync.
   */
  default boolean usesConntrack() {
    return false;
  }

  /**
   * The change as connection tracking sees it, where it is not the endpoints that packets are sent
   * to: what {@link #sync} made of {@code change}, which it succeeded with.
   */
  default NodeChange tracked(NodeChange change) {
    return change;
  }

  /**
   * The sockets that this backend connects to endpoints itself, so that connection tracking does
   * not know of them; those that a change makes stale are ended after each sync. Empty where it
   * does nothing with sockets.
   */
  default Optional<ConnectedSockets> connectedSockets() {
    return Optional.empty();
  }

  /**
   * The part of a decision that this backend cannot do, and what it does instead, as a sentence
   * without a full stop; reported once for each service. Empty where it does everything.
   */
  default Optional<String> shortfall(ServicePort port) {
    return Optional.empty();
  }

  /**
   * Does at once what a sync may leave for a quiet moment.
   *
   * @throws BackendException where that fails; it is tried again
   */
  default void tidy() {}

  /**
   * Compares the world with {@code applied}, which is the image of the last sync that succeeded,
   * and repairs what is different.
   *
   * @throws BackendException where that fails; it is tried again
   */
  default Audit audit(NodeImage applied) {
    return Audit.CLEAN;
  }

  /**
   * What has been counted of the traffic of services, read now; nothing where nothing counts. Any
   * thread may call, also while another one syncs.
   *
   * @throws BackendException where it cannot be read
   */
  default List<TrafficCount> traffic() {
    return List.of();
  }

  /** When to tidy and to audit without being asked to. */
  default Upkeep upkeep() {
    return Upkeep.NONE;
  }

  /**
   * Notices from now on when something else changes what was applied, and says so to {@code
   * suspicions}, as half a sentence: "a change by nft (1234)". An audit then follows soon, on the
   * thread that syncs. A backend that cannot notice watches nothing; any thread may call {@code
   * suspicions}.
   */
  default Watch watch(Consumer<String> suspicions) {
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
