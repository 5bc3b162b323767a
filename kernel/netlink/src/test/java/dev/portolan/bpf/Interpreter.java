package dev.portolan.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Runs the bytes of a program without a kernel, with maps in memory. As the verifier would, it
 * stops at memory that is not there, at a stack that was not written, and at a program that does
 * not end.
 */
public final class Interpreter {
  private static final int STEPS = 10_000;
  private static final int STACK = 512;
  private static final int STACK_REGION = 2;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<Integer, MapShape> shapes = new HashMap<>();
  private final Map<Integer, Map<ByteBuffer, byte[]>> maps = new HashMap<>();
  private final List<byte[]> regions = new ArrayList<>();
  private LongSupplier random = () -> 0;
  private long now;
  private long socket = 1;
  private long namespace = 1;

  /** What a run came to: the result, and the errno that it asked for. */
  public record Result(long value, long returned) {}

  /** Makes an empty map. */
  public Interpreter map(String name, MapShape shape) {
    int number = 3 + numbers.size();
    numbers.put(name, number);
    shapes.put(number, shape);
    maps.put(number, new LinkedHashMap<>());
    return this;
  }

  /** Fills a map. */
  public void put(String name, Map<ByteBuffer, ByteBuffer> entries) {
    entries.forEach((key, value) -> map(name).put(key, array(value)));
  }

  /** What a map holds. */
  public Map<ByteBuffer, byte[]> map(String name) {
    return maps.get(numbers.get(name));
  }

  /** The next random numbers. */
  public void random(LongSupplier next) {
    random = next;
  }

  /** The time in nanoseconds. */
  public void now(long nanos) {
    now = nanos;
  }

  /** Whose call it is. */
  public void caller(long socketCookie, long namespaceCookie) {
    socket = socketCookie;
    namespace = namespaceCookie;
  }

  /** Runs {@code code} with {@code context}, which it may change. */
  public Result run(Code code, byte[] context) {
    ByteBuffer program = ByteBuffer.wrap(code.encode(numbers::get)).order(ByteOrder.nativeOrder());
    regions.clear();
    long[] registers = new long[11];
    registers[1] = region(context);
    boolean[] written = new boolean[STACK];
    registers[10] = region(new byte[STACK]) + STACK;
    long returned = 0;
    int at = 0;
    for (int step = 0; step < STEPS; step++) {
      int opcode = program.get(at * 8) & 0xff;
      int target = program.get(at * 8 + 1) & 0xf;
      int source = program.get(at * 8 + 1) >> 4 & 0xf;
      int offset = program.getShort(at * 8 + 2);
      int immediate = program.getInt(at * 8 + 4);
      at++;
      switch (opcode & 7) {
        case 0 -> {
          registers[target] = immediate;
          at++;
        }
        case 1 -> {
          long address = registers[source] + offset;
          check(written, address, Width.in(opcode).bytes());
          registers[target] = read(address, Width.in(opcode));
        }
        case 2, 3 -> {
          long address = registers[target] + offset;
          long value = (opcode & 7) == 2 ? immediate : registers[source];
          write(address, Width.in(opcode), value);
          if (address >>> 32 == STACK_REGION) {
            Arrays.fill(written, (int) address, (int) address + Width.in(opcode).bytes(), true);
          }
        }
        case 7 ->
            registers[target] =
                calculate(
                    opcode & 0xf0,
                    registers[target],
                    (opcode & 8) == 0 ? immediate : registers[source]);
        case 5 -> {
          if (opcode == Instruction.EXIT) {
            return new Result(registers[0], returned);
          } else if (opcode == Instruction.CALL) {
            if (immediate == Helper.SET_RETVAL.number()) {
              returned = (int) registers[1];
            }
            registers[0] = call(immediate, registers, written);
            Arrays.fill(registers, 1, 6, 0xdeadL << 48);
          } else if (opcode == Instruction.JUMP
              || holds(
                  opcode & 0xf0,
                  registers[target],
                  (opcode & 8) == 0 ? immediate : registers[source])) {
            at += offset;
          }
        }
        default -> throw new AssertionError("no instruction has the code " + opcode);
      }
    }
    throw new AssertionError("the program does not end");
  }

  private long call(int helper, long[] registers, boolean[] written) {
    if (helper == Helper.KTIME_GET_NS.number()) {
      return now;
    }
    if (helper == Helper.GET_PRANDOM_U32.number()) {
      return random.getAsLong() & 0xffffffffL;
    }
    if (helper == Helper.GET_SOCKET_COOKIE.number()) {
      return socket;
    }
    if (helper == Helper.GET_NETNS_COOKIE.number()) {
      return namespace;
    }
    if (helper == Helper.SET_RETVAL.number()) {
      return 0;
    }
    int number = (int) registers[1];
    Map<ByteBuffer, byte[]> map = maps.get(number);
    ByteBuffer key = bytes(registers[2], shapes.get(number).keyBytes(), written);
    if (helper == Helper.MAP_LOOKUP_ELEM.number()) {
      byte[] value = map.get(key);
      return value == null ? 0 : region(value);
    }
    if (helper == Helper.MAP_UPDATE_ELEM.number()) {
      map.put(key, array(bytes(registers[3], shapes.get(number).valueBytes(), written)));
      return 0;
    }
    if (helper == Helper.MAP_DELETE_ELEM.number()) {
      return map.remove(key) == null ? -2 : 0;
    }
    throw new AssertionError("no helper has the number " + helper);
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private long region(byte[] memory) {
    regions.add(memory);
    return (long) regions.size() << 32;
  }

  private ByteBuffer at(long address, int size) {
    int region = (int) (address >>> 32);
    int offset = (int) address;
    if (region < 1 || region > regions.size()) {
      throw new AssertionError("no memory at " + Long.toHexString(address));
    }
    byte[] memory = regions.get(region - 1);
    if (offset < 0 || offset + size > memory.length) {
      throw new AssertionError(size + " bytes at " + offset + " of " + memory.length);
    }
    return ByteBuffer.wrap(memory, offset, size).slice().order(ByteOrder.nativeOrder());
  }

  private void check(boolean[] written, long address, int size) {
    at(address, size);
    if (address >>> 32 != STACK_REGION) {
      return;
    }
    for (int i = 0; i < size; i++) {
      if (!written[(int) address + i]) {
        throw new AssertionError("the stack was not written at " + ((int) address + i - STACK));
      }
    }
  }

  private ByteBuffer bytes(long address, int size, boolean[] written) {
    check(written, address, size);
    return ByteBuffer.wrap(array(at(address, size)));
  }

  private long read(long address, Width width) {
    ByteBuffer memory = at(address, width.bytes());
    return switch (width) {
      case BYTE -> memory.get() & 0xff;
      case HALF -> memory.getShort() & 0xffff;
      case WORD -> memory.getInt() & 0xffffffffL;
      case DOUBLE -> memory.getLong();
    };
  }

  private void write(long address, Width width, long value) {
    ByteBuffer memory = at(address, width.bytes());
    switch (width) {
      case BYTE -> memory.put((byte) value);
      case HALF -> memory.putShort((short) value);
      case WORD -> memory.putInt((int) value);
      case DOUBLE -> memory.putLong(value);
    }
  }

  private static long calculate(int what, long left, long right) {
    return switch (what) {
      case 0x00 -> left + right;
      case 0x10 -> left - right;
      case 0x20 -> left * right;
      case 0x40 -> left | right;
      case 0x50 -> left & right;
      case 0x60 -> left << right;
      case 0x70 -> left >>> right;
      case 0x90 -> right == 0 ? left : Long.remainderUnsigned(left, right);
      case 0xb0 -> right;
      default -> throw new AssertionError("no arithmetic has the code " + what);
    };
  }

  private static boolean holds(int what, long left, long right) {
    int order = Long.compareUnsigned(left, right);
    return switch (what) {
      case 0x10 -> left == right;
      case 0x20 -> order > 0;
      case 0x30 -> order >= 0;
      case 0x40 -> (left & right) != 0;
      case 0x50 -> left != right;
      case 0xa0 -> order < 0;
      case 0xb0 -> order <= 0;
      default -> throw new AssertionError("no condition has the code " + what);
    };
  }
}
