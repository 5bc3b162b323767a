package dev.portolan.bpf;

/** What is calculated with a register and another one or a number. */
public enum Arithmetic {
  ADD(0x00, "+="),
  SUBTRACT(0x10, "-="),
  MULTIPLY(0x20, "*="),
  OR(0x40, "|="),
  AND(0x50, "&="),
  SHIFT_LEFT(0x60, "<<="),
  SHIFT_RIGHT(0x70, ">>="),
  MODULO(0x90, "%="),
  MOVE(0xb0, "=");

  private final int code;
  private final String sign;

  Arithmetic(int code, String sign) {
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
