package dev.portolan.mode;

/** Whose rules are looked for. */
public enum Scope {
  /** Those of every kube-proxy, and our own. */
  EVERYTHING,
  /** Our own: tables and chains that carry our mark. */
  OURS,
  /** Our own tables of nftables, and what translates sockets beside them. */
  OUR_TABLES,
  /** What translates sockets, without the tables beside it. */
  SOCKETS,
  /** The nftables tables with the configured name, regardless of which program made them. */
  TABLES_OF_NAME,
  /** Chains of iptables with kube-proxy's names, regardless of who wrote them. */
  CHAINS,
  /**
   * Virtual servers with the device of a mode ipvs, regardless of who made them, and our tables
   * beside.
   */
  VIRTUAL_SERVERS
}
