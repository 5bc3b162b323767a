package dev.portolan.core.brain;

import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.TriggerLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What the brain decides for one node, kept up to date.
 *
 * <p>Reading needs no lock: {@link #image} is the newest whole image. Who wants the difference
 * keeps the image that it read last and asks for the delta between the two; so nothing queues up
 * for a reader that is slow, and it skips what it missed.
 */
public final class NodeView implements AutoCloseable {
  private final Brain brain;
  private final String node;
  private final NodeSettings settings;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile NodeImage image;

  NodeView(Brain brain, String node, NodeSettings settings) {
    this.brain = brain;
    this.node = node;
    this.settings = settings;
    this.image = NodeImage.unsynced(node);
  }

  /** The node's name. */
  public String node() {
    return node;
  }

  /** The newest image; its revision is 0 until the cluster is known. */
  public NodeImage image() {
    return image;
  }

  /**
   * Calls {@code listener} after each new revision. It is called by the thread that changed the
   * cluster, and must only wake up whoever then reads.
   */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Stops following the cluster; the last image stays. */
  @Override
  public void close() {
    brain.close(this);
  }

  NodeSettings settings() {
    return settings;
  }

  /** Takes what now applies; {@code changed} says whether it decides anything else than before. */
  void update(
      NodeFacts facts, NodeServices services, TriggerLog.Position position, boolean changed) {
    image = new NodeImage(image.revision() + (changed ? 1 : 0), facts, services, position);
    if (changed) {
      listeners.forEach(Runnable::run);
    }
  }
}
