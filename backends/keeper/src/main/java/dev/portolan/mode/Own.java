package dev.portolan.mode;

/** What rules a mode writes, which are not leftovers of another proxy. */
public enum Own {
  /** The nftables tables of our name. */
  NFTABLES,
  /** The same, and what translates sockets. */
  EBPF,
  /** Chains of iptables-nft. */
  IPTABLES_NFT,
  /** Chains of iptables-legacy. */
  IPTABLES_LEGACY,
  /** Virtual servers of IPVS, their device, and the tables beside them. */
  IPVS,
  /** Nothing: all of it is to go. */
  NOTHING;

  /** Whether it has the nftables tables of our name. */
  public boolean hasTables() {
    return this == NFTABLES || this == EBPF;
  }

  /** Whether it has what translates sockets. */
  public boolean hasSockets() {
    return this == EBPF;
  }
}
