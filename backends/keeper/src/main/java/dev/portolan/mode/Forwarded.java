package dev.portolan.mode;

/** By what a firewall knows packets that are forwarded for services. */
public enum Forwarded {
  /** The destination of their connection was translated. */
  TRANSLATED("DNAT", " ct status dnat"),
  /** No connection is marked as translated; those that come back belong to a known one. */
  ANSWERS("RELATED,ESTABLISHED", " ct state related,established");

  private final String state;
  private final String match;

  Forwarded(String state, String match) {
    this.state = state;
    this.match = match;
  }

  /** What iptables' match conntrack asks for, after {@code --ctstate}. */
  public String state() {
    return state;
  }

  /** The match of nftables. */
  public String match() {
    return match;
  }
}
