package dev.portolan.daemon;

import dev.portolan.core.cluster.NamespacedName;

/** Where the daemon reports to the cluster, as events. */
interface ClusterEvents {
  /** Something about the node. */
  void aboutNode(String type, String reason, String note);

  /** Something about a service. */
  void aboutService(NamespacedName service, String reason, String action, String note);
}
