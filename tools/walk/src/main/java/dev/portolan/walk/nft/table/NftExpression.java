package dev.portolan.walk.nft.table;

import dev.portolan.nftables.NftVerdict;

/**
 * One instruction of a rule. Registers are numbered by their first word of four bytes, from 0 on;
 * arrays are not to be changed.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public sealed interface NftExpression {
  /** How long the names of interfaces are in registers, with the zeros after them. */
  int NAME_LENGTH = 16;

  /** Loads bytes of a header. */
  record LoadHeader(int to, Base base, int offset, int length) implements NftExpression {}

  /** Writes bytes of a header. */
  record StoreHeader(int from, Base base, int offset, int length) implements NftExpression {}

  /** Loads a fact about the packet. */
  record LoadMeta(int to, int key) implements NftExpression {}

  /** Sets a fact about the packet. */
  record StoreMeta(int from, int key) implements NftExpression {}

  /**
   * Loads a fact about the connection.
   *
   * @param reply whether it is asked of the direction of the answers
   */
  record LoadConnection(int to, int key, boolean reply) implements NftExpression {}

  /** Sets a fact about the connection. */
  record StoreConnection(int from, int key) implements NftExpression {}

  /** Goes on only if a register compares so with a value. */
  record Compare(int from, Comparison comparison, byte[] value) implements NftExpression {}

  /** Goes on only if a register is in a range, or is not. */
  record InRange(int from, boolean inverted, byte[] first, byte[] last) implements NftExpression {}

  /** {@code to = (from & mask) ^ xor}. */
  record MaskAndFlip(int from, int to, byte[] mask, byte[] xor) implements NftExpression {}

  /** Shifts words of 32 bits as one number, to the left or to the right. */
  record Shift(int from, int to, int length, boolean left, int bits) implements NftExpression {}

  /** Turns the bytes of each number of {@code size} bytes round. */
  record SwapBytes(int from, int to, int length, int size) implements NftExpression {}

  /** Goes on only if a set has the key, or has it not. */
  record InSet(int from, String set, boolean inverted) implements NftExpression {}

  /** Loads what a map has for the key; goes on only if it has it. */
  record LoadFromMap(int from, String map, int to) implements NftExpression {}

  /** Goes where a verdict map says; ends the rule where it has no such key. */
  record VerdictFromMap(int from, String map) implements NftExpression {}

  /** Adds a key to a set, refreshes or removes it there. */
  record ChangeSet(int from, String set, boolean removes, boolean inverted)
      implements NftExpression {}

  /** Loads a constant. */
  record LoadConstant(int to, byte[] value) implements NftExpression {}

  /** Ends the rule with a verdict. */
  record Decide(NftVerdict verdict) implements NftExpression {}

  /** Loads one of {@code modulus} numbers, each as likely, from {@code offset} on. */
  record Draw(int to, int modulus, int offset, String words) implements NftExpression {}

  /** Loads what routing says of an address. */
  record LoadRoute(int to, int result, int flags) implements NftExpression {}

  /**
   * Replaces source or destination, and ends the way through this hook.
   *
   * @param address the first and last address, as registers; -1 for none
   * @param port the same of ports
   */
  record Translate(
      boolean destination, int address, int addressEnd, int port, int portEnd, int flags)
      implements NftExpression {}

  /** Sends the packet to this node itself. */
  record Redirect(int port) implements NftExpression {}

  /** Replaces the source by an address of the node. */
  record Masquerade(int flags) implements NftExpression {}

  /** Refuses the packet with an answer. */
  record Reject(int type, int code) implements NftExpression {}

  /** Keeps conntrack away from the packet. */
  record Untrack() implements NftExpression {}

  /** Does something that no packet notices, such as counting. */
  record Aside(String words) implements NftExpression {}

  /**
   * Goes on or not, depending on how much was there before: a rate, a quota, a number of
   * connections. Taken as not exceeded.
   */
  record Limit(String words, boolean inverted) implements NftExpression {}

  /** Something whose outcome does not follow from rules and packet. */
  record Obscure(String name) implements NftExpression {}

  /** What an offset counts from. */
  enum Base {
    NETWORK,
    TRANSPORT
  }

  /** The ways to compare. */
  enum Comparison {
    EQUAL("=="),
    UNEQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    /** The one with the kernel's number. */
    static Comparison of(int number) {
      return switch (number) {
        case 1 -> UNEQUAL;
        case 2 -> LESS;
        case 3 -> AT_MOST;
        case 4 -> GREATER;
        case 5 -> AT_LEAST;
        default -> EQUAL;
      };
    }

    /** As nft writes it. */
    String sign() {
      return sign;
    }

    /** Whether it holds for this result of comparing the left side with the right one. */
    public boolean holds(int difference) {
      return switch (this) {
        case EQUAL -> difference == 0;
        case UNEQUAL -> difference != 0;
        case LESS -> difference < 0;
        case AT_MOST -> difference <= 0;
        case GREATER -> difference > 0;
        case AT_LEAST -> difference >= 0;
      };
    }
  }
}
