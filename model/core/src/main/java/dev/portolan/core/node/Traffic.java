package dev.portolan.core.node;

/** The kinds of traffic that the rules of a service port tell apart. */
public enum Traffic {
  /** To the cluster IP, from anywhere. */
  INTERNAL,
  /** To a nodePort, external or load-balancer IP, from outside. */
  EXTERNAL,
  /** To a nodePort, external or load-balancer IP, from a pod or from the node itself. */
  SHORT_CIRCUIT
}
