package dev.portolan.packets;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Namespace;

/** A brain and a backend at work inside a node's network namespace. One thread at a time. */
public final class NodeUnderTest implements FollowingNode {
  private final Namespace namespace;
  private final BackendUnderTest maker;
  private final Brain brain = new Brain(warning -> {});
  private final NodeView view;
  private Backend backend;
  private NodeImage applied = NodeImage.unsynced(Actor.NODE_NAME);

  /** Starts a backend in {@code namespace}; nothing is applied yet. */
  public NodeUnderTest(Namespace namespace, BackendUnderTest maker, NodeSettings settings) {
    this.namespace = namespace;
    this.maker = maker;
    this.view = brain.open(Actor.NODE_NAME, settings);
    this.backend = namespace.call(maker::open);
  }

  /** Hands a change to the brain, and applies what it decides for the node. */
  @Override
  public void apply(ClusterDelta change) {
    brain.apply(change);
    sync();
  }

  /** Applies what is not applied yet, if only nothing: a backend then has to look after itself. */
  public void sync() {
    NodeImage image = view.image();
    NodeChange change = NodeChange.between(applied, image);
    namespace.run(() -> backend.sync(change));
    applied = image;
  }

  /** The node's last image. */
  public NodeImage image() {
    return applied;
  }

  /** The backend that is at work now. */
  public Backend backend() {
    return backend;
  }

  /** Ends the process without cleaning up and starts another, which knows nothing of the first. */
  public void restart() {
    release();
    backend = namespace.call(maker::open);
    applied = NodeImage.unsynced(Actor.NODE_NAME);
    sync();
  }

  /** Lets the backend remove every trace. */
  @Override
  public void close() {
    namespace.run(backend::cleanup);
    release();
  }

  private void release() {
    namespace.run(backend::close);
  }
}
