package dev.portolan.core.cluster;

/**
 * Whether traffic may go to endpoints anywhere in the cluster or to those of the same node only.
 */
public enum TrafficPolicy {
  CLUSTER("Cluster"),
  LOCAL("Local");

  private final String label;

  TrafficPolicy(String label) {
    this.label = label;
  }

  /** The policy as Kubernetes writes it. */
  @Override
  public String toString() {
    return label;
  }
}
