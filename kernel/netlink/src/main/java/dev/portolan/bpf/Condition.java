package dev.portolan.bpf;

/** When a jump is taken; numbers count as unsigned. */
public enum Condition {
  EQUAL(0x10, "=="),
  ABOVE(0x20, ">"),
  AT_LEAST(0x30, ">="),
  HAS_BITS(0x40, "&"),
  NOT_EQUAL(0x50, "!="),
  BELOW(0xa0, "<"),
  AT_MOST(0xb0, "<=");

  private final int code;
  private final String sign;

  Condition(int code, String sign) {
    this.code = code;
    this.sign = sign;
  }

  int code() {
    return code;
  }

  /** The sign that the kernel writes. */
  @Override
  public String toString() {
    return sign;
  }
}
