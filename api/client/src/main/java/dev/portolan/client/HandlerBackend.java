package dev.portolan.client;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import java.util.function.Consumer;

/** Hands whole states to a handler. */
final class HandlerBackend implements Backend {
  private final Consumer<NodeImage> handler;
  private final RemoteNode node;
  private final Position held;

  /** The state at {@code held}, if that is the first one, has been handled before. */
  HandlerBackend(Consumer<NodeImage> handler, RemoteNode node, Position held) {
    this.handler = handler;
    this.node = node;
    this.held = held;
  }

  @Override
  public void sync(NodeChange change) {
    boolean known =
        !change.before().isSynced()
            && !held.equals(Position.NONE)
            && node.position(change.after()).equals(held);
    if (!known) {
      handler.accept(change.after());
    }
  }

  /** What a handler did is not known here. */
  @Override
  public void cleanup() {}
}
