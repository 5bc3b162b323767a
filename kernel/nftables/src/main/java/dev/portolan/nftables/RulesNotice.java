package dev.portolan.nftables;

/**
 * What the kernel says about the rules of all processes. First each object that a transaction
 * changed, then the transaction itself.
 */
public sealed interface RulesNotice {
  /**
   * An object changed.
   *
   * @param port the socket that changed it, see {@link Nftables#port}
   * @param name the chain, of rules too, or the set, of elements too; else empty
   */
  record Changed(int port, TableName table, Kind kind, boolean deleted, String name)
      implements RulesNotice {}

  /**
   * A transaction was committed.
   *
   * @param port the socket that committed it, see {@link Nftables#port}
   * @param generation the number of the rule set that it made
   * @param process the thread that committed it, as the kernel's first pid namespace numbers it;
   *     inside a container that number is another
   * @param processName that thread's name
   */
  record Committed(int port, int generation, int process, String processName)
      implements RulesNotice {}

  /** Notices were lost: everything may have changed. */
  record Lost(String reason) implements RulesNotice {}

  /** The kinds of objects. */
  enum Kind {
    TABLE,
    CHAIN,
    RULE,
    SET,
    ELEMENT,
    /** A stateful object or a flow table. */
    OTHER
  }
}
