package dev.portolan.core.node;

import java.util.List;

/**
 * The endpoints chosen for one service port on one node. Lists are in the order of their addresses.
 *
 * @param cluster for traffic under the Cluster policy, and for pods and the node itself under an
 *     external policy of Local
 * @param local for traffic under the Local policy
 * @param serving every endpoint that still serves and that the policies let this node use, chosen
 *     or not: connections to these may live on
 * @param internal the verdict on traffic to the cluster IP
 * @param external the verdict on traffic from outside to nodePort, external and load-balancer IPs
 * @param shortCircuit the verdict on traffic of pods and of the node itself to those same addresses
 */
public record Selection(
    List<Endpoint> cluster,
    List<Endpoint> local,
    List<Endpoint> serving,
    Verdict internal,
    Verdict external,
    Verdict shortCircuit) {
  public Selection {
    cluster = List.copyOf(cluster);
    local = List.copyOf(local);
    serving = List.copyOf(serving);
  }
}
