package dev.portolan.client;

import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.SourceLost;
import java.util.Optional;

/**
 * Notified of the state of the connection to a server. Calls come from the thread that follows the
 * server, and must not block it.
 */
public interface LinkListener {
  /** Listens to nothing. */
  LinkListener NONE = new LinkListener() {};

  /** The server answers, for the first time or again. */
  default void connected() {}

  /**
   * The server cannot be followed; what it sent last still counts, and it is retried until it can.
   * Called once per failure, however often it is retried.
   *
   * @param sentence where, why, and what to do
   */
  default void lost(String sentence) {}

  /**
   * The server says that its own source is lost, or, where this is empty, that it can be read
   * again. What the server sends meanwhile may be old.
   */
  default void sourceLost(Optional<SourceLost> lost) {}

  /** An item came, and is looked at next; for observers of the stream itself. */
  default void received(OpItem item) {}
}
