package dev.portolan.core.node;

import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.List;

/**
 * Where clients find one service port in one family, and how they are to be treated. The same on
 * every node.
 *
 * @param nodePort 0 where there is none
 * @param sourceRanges who may use the load-balancer addresses; empty for everybody
 * @param affinitySeconds how long a client stays with its endpoint; 0 without affinity
 */
public record Frontend(
    ServicePortName name,
    Ip clusterIp,
    int port,
    int nodePort,
    List<Ip> externalIps,
    List<Ip> loadBalancerIps,
    List<Cidr> sourceRanges,
    TrafficPolicy internalPolicy,
    TrafficPolicy externalPolicy,
    int affinitySeconds) {
  public Frontend {
    externalIps = List.copyOf(externalIps);
    loadBalancerIps = List.copyOf(loadBalancerIps);
    sourceRanges = List.copyOf(sourceRanges);
  }

  /** The family of all its addresses. */
  public IpFamily family() {
    return clusterIp.family();
  }

  /** Whether clients outside the cluster have an address to use. */
  public boolean isExternallyAccessible() {
    return nodePort != 0 || !externalIps.isEmpty() || !loadBalancerIps.isEmpty();
  }

  /** Whether some traffic may go to endpoints on any node. */
  public boolean usesClusterEndpoints() {
    return internalPolicy == TrafficPolicy.CLUSTER || isExternallyAccessible();
  }

  /** Whether some traffic must go to endpoints on this node. */
  public boolean usesLocalEndpoints() {
    return internalPolicy == TrafficPolicy.LOCAL || hasLocalExternalPolicy();
  }

  /** Whether traffic from outside must go to endpoints on this node. */
  public boolean hasLocalExternalPolicy() {
    return externalPolicy == TrafficPolicy.LOCAL && isExternallyAccessible();
  }

  /** {@code namespace/name:port address:port/protocol}. */
  @Override
  public String toString() {
    return name + " " + clusterIp.withPort(port) + "/" + name.protocol();
  }
}
