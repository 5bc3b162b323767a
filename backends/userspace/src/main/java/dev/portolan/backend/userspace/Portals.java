package dev.portolan.backend.userspace;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How clients come to the portals. */
public enum Portals {
  /** Rules of nftables send what is addressed to a service to a port of the node. */
  NFTABLES,
  /** Clients connect to the portals themselves, which need neither rules nor privileges. */
  LISTEN;

  /** The way of that name. */
  public static Optional<Portals> parse(String word) {
    return Arrays.stream(values()).filter(way -> way.toString().equals(word)).findFirst();
  }

  /** The way as a flag names it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
