package dev.portolan.core.node;

/** The endpoints of a service port that traffic can be spread over. */
public enum Pool {
  /** Those on any node. */
  CLUSTER("Cluster"),
  /** Those on this node. */
  LOCAL("Local");

  private final String label;

  Pool(String label) {
    this.label = label;
  }

  /** The pool as Kubernetes writes the policy that leads to it. */
  @Override
  public String toString() {
    return label;
  }
}
