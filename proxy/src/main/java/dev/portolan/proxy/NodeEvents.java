package dev.portolan.proxy;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.DriftListener;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.sync.SyncLoop;

/** Notified of everything that happens to a node. Called from several threads. */
public interface NodeEvents extends SyncLoop.Listener, DriftListener {
  /** The cluster changed, and {@code newest} is what is now decided for the node. */
  default void taken(ClusterDelta transaction, NodeImage newest) {}

  /** After a sync, flows that had gone stale were ended. */
  void cleaned(Cleaning cleaning);

  /** Stale flows could not be looked for; after the next sync they are. */
  void notCleaned(NetlinkException failure);

  /** Something in the cluster's objects is not as it should be. */
  void warned(String warning);
}
