package dev.portolan.wiring;

import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.sync.Observer;

/** Notified of everything that happens to a node. Several threads call. */
public interface NodeEvents extends Observer {
  /** The cluster changed, and {@code newest} is what is now decided for the node. */
  default void taken(ClusterChange change, NodeImage newest) {}

  /** Something in the cluster's objects is not as it should be. */
  void warned(String warning);
}
