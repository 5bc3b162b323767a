package dev.portolan.netlink;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * How functions of the C library are called: {@link #function} finds one, {@link #call} calls it. A
 * class that calls C keeps each function in a static final field, and lets no other class see
 * native memory.
 *
 * <p>To the JVM all functions have one type. Linux passes whole numbers and addresses of any width
 * in registers, a function does not look at those that it has no parameter for, and linking each
 * type by itself would take a tenth of a daemon's start.
 */
public final class CLibrary {
  /** For {@link #open}: a program that is started does not get the descriptor. */
  public static final int CLOSE_ON_EXEC = 0x80000;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final int MOST_ARGUMENTS = 6;
  private static final MethodHandle CALL = link();

  private static final MemorySegment OPEN = function("open");
  private static final MemorySegment CLOSE = function("close");

  private CLibrary() {}

  @SuppressWarnings("restricted") // calling C is what this class is for
  private static MethodHandle link() {
    return LINKER.downcallHandle(
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        Linker.Option.captureCallState("errno"));
  }

  /** Finds a function whose parameters are at most six whole numbers or addresses. */
  public static MemorySegment function(String name) {
    return LINKER
        .defaultLookup()
        .find(name)
        .orElseThrow(() -> new UnsupportedOperationException("the C library has no " + name));
  }

  /** Calls a function that returns an int: that, or the negated errno where it is below zero. */
  public static int call(MemorySegment function, long... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int value = (int) call(function, state, arguments);
      return value >= 0 ? value : -(int) ERRNO.get(state, 0L);
    }
  }

  /** Calls a function that returns a long: that, or the negated errno where it is below zero. */
  public static long callLong(MemorySegment function, long... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long value = call(function, state, arguments);
      return value >= 0 ? value : -(int) ERRNO.get(state, 0L);
    }
  }

  private static long call(MemorySegment function, MemorySegment state, long[] arguments) {
    long[] all = new long[MOST_ARGUMENTS];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    try {
      return (long)
          CALL.invokeExact(function, state, all[0], all[1], all[2], all[3], all[4], all[5]);
    } catch (Throwable e) {
      // C throws nothing, and the types of calls are fixed.
      throw new IllegalStateException("a call into C could not be made", e);
    }
  }

  /** Opens a file or folder for reading: a descriptor, or the negated errno. */
  public static int open(String path, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      return call(OPEN, arena.allocateFrom(path).address(), flags);
    }
  }

  /** Closes a descriptor: 0, or the negated errno. */
  public static int close(int fd) {
    return call(CLOSE, fd);
  }
}
