package dev.portolan.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** A program that was assembled. Maps are still names: they get their numbers when it is loaded. */
public final class Code {
  private final List<Instruction> instructions;
  private final Map<Integer, String> labels;

  Code(List<Instruction> instructions, Map<Integer, String> labels) {
    this.instructions = List.copyOf(instructions);
    this.labels = Map.copyOf(labels);
  }

  /** How many instructions it has, a wide one counted twice. */
  public int size() {
    return instructions.size();
  }

  /** The names of the maps that it uses. */
  public Set<String> maps() {
    Set<String> maps = new LinkedHashSet<>();
    for (Instruction instruction : instructions) {
      if (instruction.map() != null) {
        maps.add(instruction.map());
      }
    }
    return maps;
  }

  /** The bytes that the kernel takes, with {@code maps} as the number of each map. */
  public byte[] encode(ToIntFunction<String> maps) {
    ByteBuffer buffer =
        ByteBuffer.allocate(instructions.size() * Instruction.SIZE).order(ByteOrder.nativeOrder());
    for (Instruction instruction : instructions) {
      String map = instruction.map();
      instruction.encode(buffer, map == null ? 0 : maps.applyAsInt(map));
    }
    return buffer.array();
  }

  /** One instruction as text; {@code number} counts as the verifier does. */
  String line(int number) {
    return number < 0 || number >= instructions.size()
        ? "outside of the program"
        : text(number, instructions.get(number));
  }

  private String text(int number, Instruction instruction) {
    int destination = number + 1 + instruction.offset();
    return instruction.text(labels.getOrDefault(destination, String.valueOf(destination)));
  }

  /** All instructions with their numbers, and labels where jumps lead. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < instructions.size(); i++) {
      String label = labels.get(i);
      if (label != null) {
        text.append(label).append(":\n");
      }
      Instruction instruction = instructions.get(i);
      if (instruction.code() != 0) {
        text.append("%4d: %s%n".formatted(i, text(i, instruction)));
      }
    }
    return text.toString();
  }
}
