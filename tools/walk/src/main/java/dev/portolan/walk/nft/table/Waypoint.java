package dev.portolan.walk.nft.table;

/** Something on a packet's way that may decide: a rule, or the policy of a chain. */
public interface Waypoint {
  /** Table, chain and number of the rule. */
  String place();

  /** What is written there, in nft's words. */
  String text();

  /** The policy of a base chain, which decides at its end. */
  record Policy(String place, String text) implements Waypoint {}
}
