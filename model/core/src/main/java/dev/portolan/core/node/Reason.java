package dev.portolan.core.node;

/** Why an endpoint was taken for a list or left out of it. */
public enum Reason {
  READY(true, "ready"),
  SERVING_WHILE_TERMINATING(true, "terminating but still serving, and no ready endpoint is left"),
  HINTED_FOR_THIS_NODE(true, "ready, and hinted for this node"),
  HINTED_FOR_THIS_ZONE(true, "ready, and hinted for this zone"),
  NOT_READY(false, "not ready"),
  TERMINATING(false, "terminating, while ready endpoints exist"),
  NOT_SERVING(false, "terminating and no longer serving"),
  HINTED_FOR_OTHER_NODES(false, "hinted for other nodes"),
  HINTED_FOR_OTHER_ZONES(false, "hinted for other zones"),
  ON_ANOTHER_NODE(false, "on another node"),
  NOT_ASKED_FOR(false, "the service's policies do not use this list"),
  DUPLICATE(false, "duplicate of another endpoint with the same address and port"),
  ADDRESS_REFUSED(false, "its address is not allowed for an endpoint");

  private final boolean in;
  private final String sentence;

  Reason(boolean in, String sentence) {
    this.in = in;
    this.sentence = sentence;
  }

  /** Whether the endpoint was taken. */
  public boolean in() {
    return in;
  }

  /** The reason for a person. */
  public String sentence() {
    return sentence;
  }
}
