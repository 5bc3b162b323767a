package dev.portolan.bpf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a program, one instruction per call. Labels are names; a jump may come before its label,
 * and only jumps forward are possible, so that every program ends.
 */
public final class Assembler {
  private static final int MEMORY = 0x60;
  private static final int REGISTER = 0x08;
  private static final int WIDE = 7;

  private final List<Instruction> instructions = new ArrayList<>();
  private final Map<Integer, String> jumps = new LinkedHashMap<>();
  private final Map<String, Integer> labels = new HashMap<>();

  /** {@code target} becomes {@code source}. */
  public Assembler move(Register target, Register source) {
    return calculate(Arithmetic.MOVE, target, source);
  }

  /** {@code target} becomes {@code value}. */
  public Assembler move(Register target, int value) {
    return calculate(Arithmetic.MOVE, target, value);
  }

  /** Calculates with 64 bits; the result is in {@code target}. */
  public Assembler calculate(Arithmetic what, Register target, Register source) {
    return add(WIDE | REGISTER | what.code(), target, source.number(), 0, 0);
  }

  /** Calculates with 64 bits; the result is in {@code target}. */
  public Assembler calculate(Arithmetic what, Register target, int value) {
    return add(WIDE | what.code(), target, 0, 0, value);
  }

  /** {@code target} becomes what is in memory at {@code base} plus {@code offset}. */
  public Assembler load(Width width, Register target, Register base, int offset) {
    return add(1 | MEMORY | width.code(), target, base.number(), offset, 0);
  }

  /** Puts {@code source} into memory. */
  public Assembler store(Width width, Register base, int offset, Register source) {
    return add(3 | MEMORY | width.code(), base, source.number(), offset, 0);
  }

  /** Puts a number into memory. */
  public Assembler store(Width width, Register base, int offset, int value) {
    return add(2 | MEMORY | width.code(), base, 0, offset, value);
  }

  /** {@code target} becomes the map under {@code name}. */
  public Assembler map(Register target, String name) {
    instructions.add(Instruction.mapAddress(target, name));
    instructions.add(new Instruction(0, 0, 0, 0, 0));
    return this;
  }

  /** Calls a function of the kernel with what is in R1 to R5; R0 has the result. */
  public Assembler call(Helper helper) {
    instructions.add(new Instruction(Instruction.CALL, 0, 0, 0, helper.number()));
    return this;
  }

  /** Jumps to {@code label} if {@code left} compares so with {@code right}. */
  public Assembler jumpIf(Condition condition, Register left, int right, String label) {
    jumps.put(instructions.size(), label);
    return add(5 | condition.code(), left, 0, 0, right);
  }

  /** Jumps to {@code label} if {@code left} compares so with {@code right}. */
  public Assembler jumpIf(Condition condition, Register left, Register right, String label) {
    jumps.put(instructions.size(), label);
    return add(5 | REGISTER | condition.code(), left, right.number(), 0, 0);
  }

  /** Jumps to {@code label}. */
  public Assembler jump(String label) {
    jumps.put(instructions.size(), label);
    instructions.add(new Instruction(Instruction.JUMP, 0, 0, 0, 0));
    return this;
  }

  /** Here jumps to {@code name} lead. */
  public Assembler label(String name) {
    if (labels.put(name, instructions.size()) != null) {
      throw new IllegalStateException("label " + name + " is there twice");
    }
    return this;
  }

  /** Ends the program with {@code result}. */
  public Assembler exit(int result) {
    move(Register.R0, result);
    instructions.add(new Instruction(Instruction.EXIT, 0, 0, 0, 0));
    return this;
  }

  /** The program, whole. */
  public Code assemble() {
    List<Instruction> linked = new ArrayList<>(instructions);
    jumps.forEach((from, label) -> {
      Integer to = labels.get(label);
      if (to == null || to <= from) {
        throw new IllegalStateException("no label " + label + " after instruction " + from);
      }
      Instruction jump = linked.get(from);
      linked.set(
          from,
          new Instruction(
              jump.code(), jump.target(), jump.source(), to - from - 1, jump.immediate()));
    });
    Map<Integer, String> names = new HashMap<>();
    labels.forEach((name, place) -> names.put(place, name));
    return new Code(linked, names);
  }

  private Assembler add(int code, Register target, int source, int offset, int immediate) {
    instructions.add(new Instruction(code, target.number(), source, offset, immediate));
    return this;
  }
}
