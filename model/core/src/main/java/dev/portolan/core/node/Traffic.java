package dev.portolan.core.node;

import dev.portolan.core.text.Tree;

/** The kinds of traffic that the rules of a service port tell apart. */
public enum Traffic implements Tree.Shown {
  /** To the cluster IP, from anywhere. */
  INTERNAL,
  /** To a nodePort, external or load-balancer IP, from outside. */
  EXTERNAL,
  /** To a nodePort, external or load-balancer IP, from a pod or from the node itself. */
  SHORT_CIRCUIT;

  @Override
  public Object shown() {
    return switch (this) {
      case INTERNAL -> "internal";
      case EXTERNAL -> "external";
      case SHORT_CIRCUIT -> "shortCircuit";
    };
  }
}
