package dev.portolan.netlink;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.stream.Stream;

/**
 * How functions of the C library are called: {@link #function} links one, {@link #state} is its
 * first argument, and {@link #result} turns what it returned into a value or the negated errno. A
 * class that calls C keeps each handle in a static final field, and lets no other class see native
 * memory.
 */
public final class CLibrary {
  /** For {@link #open}: a program that is started does not get the descriptor. */
  public static final int CLOSE_ON_EXEC = 0x80000;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle OPEN =
      function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle CLOSE =
      function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private CLibrary() {}

  /** Links a function, whose first argument is then a {@link #state}. */
  @SuppressWarnings("restricted") // calling C is what this class is for
  public static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    MemorySegment symbol =
        LINKER
            .defaultLookup()
            .find(name)
            .orElseThrow(() -> new UnsupportedOperationException("the C library has no " + name));
    Linker.Option errno = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(
        symbol,
        descriptor,
        Stream.concat(Stream.of(errno), Stream.of(options)).toArray(Linker.Option[]::new));
  }

  /** Where a call leaves its errno. */
  public static MemorySegment state(Arena arena) {
    return arena.allocate(STATE);
  }

  /** What a call returned, or the negated errno where that is below zero. */
  public static int result(int value, MemorySegment state) {
    return value >= 0 ? value : -(int) ERRNO.get(state, 0L);
  }

  /** What a call returned, or the negated errno where that is below zero. */
  public static long result(long value, MemorySegment state) {
    return value >= 0 ? value : -(int) ERRNO.get(state, 0L);
  }

  /** For what a handle throws: C throws nothing, and the types of calls are fixed. */
  public static IllegalStateException impossible(Throwable cause) {
    return new IllegalStateException("a call into C could not be made", cause);
  }

  /** Opens a file or folder for reading: a descriptor, or the negated errno. */
  public static int open(String path, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      return result((int) OPEN.invokeExact(state, arena.allocateFrom(path), flags), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Closes a descriptor: 0, or the negated errno. */
  public static int close(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      return result((int) CLOSE.invokeExact(state, fd), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }
}
