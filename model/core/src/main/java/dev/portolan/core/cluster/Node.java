package dev.portolan.core.cluster;

import dev.portolan.core.text.Tree;
import java.util.List;

/**
 * A Node, with the fields that can matter to a proxy.
 *
 * @param internalIps the addresses of type InternalIP, as written
 * @param externalIps the addresses of type ExternalIP, as written
 * @param zone the label {@value #ZONE_LABEL}; empty where absent
 * @param podCidrs as written
 * @param leaving whether the node is being deleted, or the cluster autoscaler is about to do so
 */
@Tree.Fields("internalIps externalIps podCidrs zone leaving")
public record Node(
    String name,
    @Tree.Named("status.addresses[type=InternalIP]") List<String> internalIps,
    @Tree.Named("status.addresses[type=ExternalIP]") List<String> externalIps,
    @Tree.Named("metadata.labels[" + Node.ZONE_LABEL + "]") String zone,
    @Tree.Named("spec.podCIDRs") List<String> podCidrs,
    @Tree.Named("metadata.deletionTimestamp or taint " + Node.AUTOSCALER_TAINT) boolean leaving) {
  /** Says which zone a node is in. */
  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";

  /** The taint by which the cluster autoscaler announces that it removes a node. */
  public static final String AUTOSCALER_TAINT = "ToBeDeletedByClusterAutoscaler";

  public Node {
    internalIps = List.copyOf(internalIps);
    externalIps = List.copyOf(externalIps);
    podCidrs = List.copyOf(podCidrs);
  }

  /** A node of which nothing but the name is known. */
  public static Node named(String name) {
    return new Node(name, List.of(), List.of(), "", List.of(), false);
  }

  /** The same node, about to be removed. */
  public Node asLeaving() {
    return new Node(name, internalIps, externalIps, zone, podCidrs, true);
  }

  /** Refers to this object. */
  public ObjectRef ref() {
    return ObjectRef.node(name);
  }
}
