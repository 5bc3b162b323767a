package dev.portolan.packets;

import dev.portolan.core.cluster.ClusterDelta;

/** A node of a lab on which a backend follows a cluster. One thread at a time. */
public interface FollowingNode extends AutoCloseable {
  /** Changes the cluster; returns when the node follows. */
  void apply(ClusterDelta change);

  /** Ends the backend. */
  @Override
  void close();
}
