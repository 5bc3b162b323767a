package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnLoadBalancer;
import dev.portolan.backend.windows.hcn.PortMapping;

/** What a load balancer is for. */
public enum BalancerKind {
  CLUSTER_IP("clusterip", "ClusterIP"),
  NODE_PORT("nodeport", "NodePort"),
  EXTERNAL_IP("externalip", "ExternalIP"),
  LOAD_BALANCER_IP("ingressip", "LoadBalancerIP"),
  HEALTH_CHECK("healthcheck", "health check");

  private final String label;
  private final String words;

  BalancerKind(String label, String words) {
    this.label = label;
    this.words = words;
  }

  /** The kind of a load balancer that was made before, as far as it shows. */
  static BalancerKind of(HcnLoadBalancer balancer) {
    if (balancer.vip().isEmpty()) {
      return NODE_PORT;
    }
    return (balancer.port().flags() & PortMapping.VIP_EXTERNAL) == 0 ? CLUSTER_IP : EXTERNAL_IP;
  }

  /** The kind as kube-proxy's metrics have it. */
  public String label() {
    return label;
  }

  /** The kind for people. */
  @Override
  public String toString() {
    return words;
  }
}
