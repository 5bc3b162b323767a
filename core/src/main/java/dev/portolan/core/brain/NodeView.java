package dev.portolan.core.brain;

import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.core.node.TriggerLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the brain decides for one node, kept up to date. */
public final class NodeView implements NodeFeed, AutoCloseable {
  private final Brain brain;
  private final String node;
  private final NodeSettings settings;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile NodeSnapshot newest;

  NodeView(Brain brain, String node, NodeSettings settings) {
    this.brain = brain;
    this.node = node;
    this.settings = settings;
    this.newest = NodeSnapshot.unsynced(node);
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public NodeSnapshot newest() {
    return newest;
  }

  @Override
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
    long revision = newest.image().revision() + (changed ? 1 : 0);
    newest = new NodeSnapshot(new NodeImage(revision, facts, services), position);
    if (changed) {
      listeners.forEach(Runnable::run);
    }
  }
}
