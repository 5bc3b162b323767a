package dev.portolan.mode;

/** A kind of rules that a mode writes, and that are no leftovers of another proxy then. */
public enum Own {
  /** The nftables tables of our name. */
  TABLES("nftables"),
  /** What translates sockets. */
  SOCKETS("nftables"),
  /** Chains of iptables-nft. */
  NFT_CHAINS("iptables"),
  /** Chains of iptables-legacy. */
  LEGACY_CHAINS("iptables"),
  /** Virtual servers of IPVS, their device, and the tables beside them. */
  VIRTUAL_SERVERS("ipvs");

  private final String lock;

  Own(String lock) {
    this.lock = lock;
  }

  /** The lock for which processes compete that write such rules. */
  public String lock() {
    return lock;
  }
}
