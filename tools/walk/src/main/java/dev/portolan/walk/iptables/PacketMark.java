package dev.portolan.walk.iptables;

/** A mark as rules write it: {@code VALUE} or {@code VALUE/MASK}. */
record PacketMark(int value, int mask) {
  /** Reads it; without a mask, all bits count. */
  static PacketMark of(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? new PacketMark(number(text), -1)
        : new PacketMark(number(text.substring(0, slash)), number(text.substring(slash + 1)));
  }

  /** A number, also with {@code 0x}. */
  static int number(String text) {
    return Long.decode(text).intValue();
  }

  /** Whether {@code mark} has it. */
  boolean isIn(int mark) {
    return (mark & mask) == value;
  }
}
