package dev.portolan.nftables;

import dev.portolan.netlink.AddressFamily;

/** A table's family and name; the family is the kernel's number, as nft has more than two. */
public record TableName(int family, String name) {
  /** A table of IPv4 or IPv6. */
  public static TableName of(AddressFamily family, String name) {
    return new TableName(family.number(), name);
  }

  /** The table as nft writes it. */
  @Override
  public String toString() {
    String word =
        switch (family) {
          case 1 -> "inet";
          case 2 -> "ip";
          case 3 -> "arp";
          case 5 -> "netdev";
          case 7 -> "bridge";
          case 10 -> "ip6";
          default -> "family " + family;
        };
    return word + " " + name;
  }
}
