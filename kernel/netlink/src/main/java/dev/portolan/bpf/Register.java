package dev.portolan.bpf;

/**
 * A register. {@code R0} has results, {@code R1} to {@code R5} are arguments and do not survive a
 * call, {@code R6} to {@code R9} do, {@code FRAME} is the end of 512 bytes of stack.
 */
public enum Register {
  R0(0),
  R1(1),
  R2(2),
  R3(3),
  R4(4),
  R5(5),
  R6(6),
  R7(7),
  R8(8),
  R9(9),
  FRAME(10);

  private final int number;

  Register(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** The name of the register with that number. */
  static String name(int number) {
    return "r" + number;
  }

  /** {@code r0} and so on, as the kernel writes it. */
  @Override
  public String toString() {
    return name(number);
  }
}
