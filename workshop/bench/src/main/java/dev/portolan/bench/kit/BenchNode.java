package dev.portolan.bench.kit;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;

/**
 * A node in this process: a brain that knows a cluster, and how far a backend has followed it. A
 * start of a backend and one change are measured with it.
 */
public final class BenchNode {
  private final Brain brain = new Brain(_ -> {});
  private final NodeView view;
  private NodeImage applied;

  /** The first node of a cluster. */
  public BenchNode(ClusterDelta cluster) {
    this(SyntheticCluster.name(0), NodeSettings.DEFAULT, cluster);
  }

  /** A node of what all transactions together make. */
  public BenchNode(String name, NodeSettings settings, ClusterDelta... cluster) {
    for (ClusterDelta part : cluster) {
      brain.apply(part);
    }
    view = brain.open(name, settings);
    applied = NodeImage.unsynced(name);
  }

  public Brain brain() {
    return brain;
  }

  public NodeView view() {
    return view;
  }

  /** What is decided for the node. */
  public NodeImage image() {
    return view.image();
  }

  /** What is decided after a change. */
  public NodeImage apply(ClusterDelta change) {
    brain.apply(change);
    return view.image();
  }

  /** The same, and lets a backend write it. */
  public void apply(ClusterDelta change, Backend backend) {
    brain.apply(change);
    long _ = sync(backend);
  }

  /** Decides one change, and returns what it changes for the node. */
  public NodeChange change(ClusterDelta change) {
    NodeImage before = view.image();
    return NodeChange.between(before, apply(change));
  }

  /** Lets a backend write everything; returns how long that took. */
  public long start(Backend backend) {
    applied = NodeImage.unsynced(view.node());
    return sync(backend);
  }

  /** Lets a backend write what is different since it was called last; returns how long it took. */
  public long sync(Backend backend) {
    NodeImage newest = view.image();
    NodeChange change = NodeChange.between(applied, newest);
    applied = newest;
    return Samples.nanos(() -> backend.sync(change));
  }
}
