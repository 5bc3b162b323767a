package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnLoadBalancer;
import dev.portolan.backend.windows.hcn.PortMapping;

/** What a load balancer is for. */
public enum BalancerKind {
  CLUSTER_IP("clusterip"),
  NODE_PORT("nodeport"),
  EXTERNAL_IP("externalip"),
  LOAD_BALANCER_IP("ingressip"),
  HEALTH_CHECK("healthcheck");

  private final String label;

  BalancerKind(String label) {
    this.label = label;
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
}
