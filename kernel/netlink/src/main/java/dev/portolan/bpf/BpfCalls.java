package dev.portolan.bpf;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.portolan.netlink.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * bpf(2), and the only place that sees native memory. A call fills an {@link Attributes}, which is
 * zero where nothing was written: the kernel refuses a call with anything behind its last field.
 */
final class BpfCalls {
  static final int MAP_CREATE = 0;
  static final int MAP_LOOKUP = 1;
  static final int MAP_UPDATE = 2;
  static final int MAP_DELETE = 3;
  static final int PROGRAM_LOAD = 5;
  static final int PIN = 6;
  static final int OPEN_PIN = 7;
  static final int PROGRAM_BY_ID = 13;
  static final int INFO = 15;
  static final int LOOKUP_BATCH = 24;
  static final int UPDATE_BATCH = 26;
  static final int DELETE_BATCH = 27;
  static final int LINK_CREATE = 28;
  static final int LINK_UPDATE = 29;
  static final int LINK_DETACH = 34;

  private static final int ATTRIBUTES = 128;
  private static final int DIRECTORY = 0x10000;

  private static final MemorySegment SYSCALL = CLibrary.function("syscall");

  private BpfCalls() {}

  /** The number of bpf(2) on this processor. */
  private static long number() {
    return switch (System.getProperty("os.arch", "")) {
      case "amd64", "x86_64" -> 321;
      case "aarch64", "riscv64" -> 280;
      case "ppc64le" -> 361;
      case "s390x" -> 351;
      default ->
          throw new UnsupportedOperationException(
              "the number of bpf(2) is not known on " + System.getProperty("os.arch"));
    };
  }

  /** Opens a folder, to hand it to the kernel; returns the negated errno where that fails. */
  static int openFolder(String path) {
    return CLibrary.open(path, DIRECTORY | CLibrary.CLOSE_ON_EXEC);
  }

  /** The arguments of one call, and the memory that they point to. */
  static final class Attributes implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(ATTRIBUTES, 8);

    Attributes number(int offset, int value) {
      memory.set(JAVA_INT, offset, value);
      return this;
    }

    /** Allocates bytes, and points the field at {@code offset} to them. */
    Room room(int offset, long size) {
      Room room = new Room(arena.allocate(Math.max(1, size), 8));
      return point(offset, room);
    }

    /** Lets the field at {@code offset} point to {@code room}. */
    Room point(int offset, Room room) {
      memory.set(ADDRESS, offset, room.memory);
      return room;
    }

    Attributes bytes(int offset, byte[] bytes) {
      Room room = room(offset, bytes.length);
      MemorySegment.copy(bytes, 0, room.memory, JAVA_BYTE, 0, bytes.length);
      return this;
    }

    Attributes text(int offset, String text) {
      memory.set(ADDRESS, offset, arena.allocateFrom(text));
      return this;
    }

    /** A name of at most 15 characters, inside the arguments. */
    Attributes name(int offset, String name) {
      byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
      MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, offset, Math.min(15, bytes.length));
      return this;
    }

    int number(int offset) {
      return memory.get(JAVA_INT, offset);
    }

    /** What the kernel returned, or the negated errno. */
    int call(int command) {
      return CLibrary.call(SYSCALL, BpfCalls.number(), command, memory.address(), ATTRIBUTES);
    }

    /** The same, with an exception where the kernel refuses it. */
    int call(int command, String what) {
      int result = call(command);
      if (result < 0) {
        throw new BpfException("cannot " + what, -result);
      }
      return result;
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  /** Memory that a call reads or fills. */
  static final class Room {
    private final MemorySegment memory;

    private Room(MemorySegment memory) {
      this.memory = memory;
    }

    /** Room that outlives a call. */
    static Room lasting(long size) {
      return new Room(Arena.ofAuto().allocate(size, 8));
    }

    byte[] bytes() {
      return memory.toArray(JAVA_BYTE);
    }

    /** The part at {@code index}, of parts of that size. */
    ByteBuffer part(int index, int size) {
      return ByteBuffer.wrap(memory.asSlice((long) index * size, size).toArray(JAVA_BYTE));
    }

    /** Fills the part at {@code index}. */
    void fill(int index, int size, ByteBuffer content) {
      if (content.remaining() != size) {
        throw new IllegalArgumentException(size + " bytes wanted, not " + content.remaining());
      }
      memory.asSlice((long) index * size, size).copyFrom(MemorySegment.ofBuffer(content));
    }
  }

  /** What the kernel knows of an object: the first {@code size} bytes. */
  static byte[] info(int fd, int size, String what) {
    try (Attributes attributes = new Attributes()) {
      Room room = attributes.number(0, fd).number(4, size).room(8, size);
      attributes.call(INFO, "ask about " + what);
      return room.bytes();
    }
  }

  static void pin(int fd, String path) {
    try (Attributes attributes = new Attributes()) {
      attributes.text(0, path).number(8, fd).call(PIN, "pin to " + path);
    }
  }

  /** Opens what is pinned, or returns the negated errno. */
  static int openPin(String path) {
    try (Attributes attributes = new Attributes()) {
      return attributes.text(0, path).call(OPEN_PIN);
    }
  }
}
