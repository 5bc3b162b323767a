package dev.portolan.backend.windows;

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

  /** The kind as kube-proxy's metrics have it. */
  public String label() {
    return label;
  }
}
