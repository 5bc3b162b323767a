package dev.portolan.core.net;

import java.util.Set;

/** The two families of addresses. */
public enum IpFamily {
  IPV4("IPv4", 32),
  IPV6("IPv6", 128);

  /** Both families. */
  public static final Set<IpFamily> ALL = Set.of(values());

  private final String label;
  private final int bits;

  IpFamily(String label, int bits) {
    this.label = label;
    this.bits = bits;
  }

  /** How many bits an address of this family has. */
  public int bits() {
    return bits;
  }

  /** The family as Kubernetes writes it. */
  @Override
  public String toString() {
    return label;
  }
}
