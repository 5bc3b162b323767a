package dev.portolan.web.state;

import java.util.Locale;

/** How a service fares, over all nodes; the later, the worse. */
public enum ServiceState {
  /** It is not proxied, or has nothing that could be. */
  NONE,
  SERVED,
  /** Something is less than it could be. */
  DEGRADED,
  /** A port drops connections on every node. */
  DROPPED,
  /** A port refuses connections on every node. */
  REFUSED;

  /** The state as the page knows it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
