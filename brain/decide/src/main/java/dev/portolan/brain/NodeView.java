package dev.portolan.brain;

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
  private volatile NodeDecision newest;

  NodeView(Brain brain, String node, NodeSettings settings) {
    this.brain = brain;
    this.node = node;
    this.settings = settings;
    this.newest = new NodeDecision(NodeSnapshot.unsynced(node), brain.decision());
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public NodeSnapshot newest() {
    return newest.snapshot();
  }

  /** The newest image together with the decision that it follows from. */
  public NodeDecision decision() {
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
      ClusterDecision cluster,
      NodeFacts facts,
      NodeServices services,
      TriggerLog.Position position,
      boolean changed) {
    long revision = image().revision() + (changed ? 1 : 0);
    newest =
        new NodeDecision(
            new NodeSnapshot(new NodeImage(revision, facts, services), position), cluster);
    if (changed) {
      listeners.forEach(Runnable::run);
    }
  }
}
