package dev.portolan.core.cluster;

/** How a Service asks to be published. */
public enum ServiceType {
  CLUSTER_IP("ClusterIP"),
  NODE_PORT("NodePort"),
  LOAD_BALANCER("LoadBalancer"),
  EXTERNAL_NAME("ExternalName");

  private final String label;

  ServiceType(String label) {
    this.label = label;
  }

  /** The type as Kubernetes writes it. */
  @Override
  public String toString() {
    return label;
  }
}
