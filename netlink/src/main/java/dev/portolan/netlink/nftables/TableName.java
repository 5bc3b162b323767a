package dev.portolan.netlink.nftables;

/** A table's family, by the kernel's number for it, and its name. */
public record TableName(int family, String name) {
  private static final int IPV4 = 2;
  private static final int IPV6 = 10;

  /** A table of the IPv4 or the IPv6 family. */
  public static TableName of(boolean ipv6, String name) {
    return new TableName(ipv6 ? IPV6 : IPV4, name);
  }

  /** The table as nft writes it. */
  @Override
  public String toString() {
    String word =
        switch (family) {
          case 1 -> "inet";
          case IPV4 -> "ip";
          case 3 -> "arp";
          case 5 -> "netdev";
          case 7 -> "bridge";
          case IPV6 -> "ip6";
          default -> "family " + family;
        };
    return word + " " + name;
  }
}
