package dev.portolan.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One instruction; the second half of a wide one is an instruction with code 0.
 *
 * @param map the map that a wide load means; its number is known when the program is loaded
 */
record Instruction(
    int code, int target, int source, int offset, int immediate, @Nullable String map) {
  static final int SIZE = 8;
  static final int LOAD_WIDE = 0x18;
  static final int CALL = 0x85;
  static final int EXIT = 0x95;
  static final int JUMP = 0x05;
  private static final int MAP_BY_FD = 1;

  Instruction(int code, int target, int source, int offset, int immediate) {
    this(code, target, source, offset, immediate, null);
  }

  static Instruction mapAddress(Register target, String map) {
    return new Instruction(LOAD_WIDE, target.number(), MAP_BY_FD, 0, 0, map);
  }

  void encode(ByteBuffer buffer, int number) {
    boolean little = buffer.order() == ByteOrder.LITTLE_ENDIAN;
    buffer.put((byte) code);
    buffer.put((byte) (little ? source << 4 | target : target << 4 | source));
    buffer.putShort((short) offset);
    buffer.putInt(map == null ? immediate : number);
  }

  /** Whether it jumps somewhere, with or without a condition. */
  boolean jumps() {
    return (code & 7) == 5 && code != CALL && code != EXIT;
  }

  /** As the kernel would print it, with the name of the label that it jumps to. */
  String text(String destination) {
    return switch (code & 7) {
      case 0 -> "%s = map %s".formatted(register(target), map);
      case 1 -> "%s = *(%s *)(%s)".formatted(register(target), Width.in(code), place(source));
      case 2 -> "*(%s *)(%s) = %d".formatted(Width.in(code), place(target), immediate);
      case 3 -> "*(%s *)(%s) = %s".formatted(Width.in(code), place(target), register(source));
      case 4, 7 -> "%s %s %s".formatted(name(target), arithmetic(), operand());
      default -> jumpText(destination);
    };
  }

  private String jumpText(String destination) {
    return switch (code) {
      case CALL -> "call " + helper();
      case EXIT -> "exit";
      case JUMP -> "goto " + destination;
      default ->
          "if %s %s %s goto %s".formatted(register(target), condition(), operand(), destination);
    };
  }

  private String place(int register) {
    return "%s %s %d".formatted(register(register), offset < 0 ? "-" : "+", Math.abs(offset));
  }

  private String operand() {
    return (code & 8) == 0 ? String.valueOf(immediate) : name(source);
  }

  /** A register, by its name for 32 bits where the instruction has only these. */
  private String name(int register) {
    return (code & 7) == 4 ? "w" + register : register(register);
  }

  private static String register(int number) {
    return Register.name(number);
  }

  private Arithmetic arithmetic() {
    for (Arithmetic arithmetic : Arithmetic.values()) {
      if (arithmetic.code() == (code & 0xf0)) {
        return arithmetic;
      }
    }
    throw new IllegalStateException("no arithmetic in " + code);
  }

  private Condition condition() {
    for (Condition condition : Condition.values()) {
      if (condition.code() == (code & 0xf0)) {
        return condition;
      }
    }
    throw new IllegalStateException("no condition in " + code);
  }

  private String helper() {
    for (Helper helper : Helper.values()) {
      if (helper.number() == immediate) {
        return helper.toString();
      }
    }
    return "helper " + immediate;
  }
}
