package dev.portolan.netlink;

import static dev.portolan.netlink.CLibrary.function;
import static dev.portolan.netlink.CLibrary.impossible;
import static dev.portolan.netlink.CLibrary.result;
import static dev.portolan.netlink.CLibrary.state;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;

/** The calls into C that sockets need. Each call returns what C returned, or the negated errno. */
final class Libc {
  static final int AF_UNIX = 1;
  static final int AF_NETLINK = 16;
  static final int SOCK_STREAM = 1;
  static final int SOCK_RAW = 3;
  static final int SOCK_NONBLOCK = 0x800;
  static final int SOCK_CLOEXEC = 0x80000;
  static final int MSG_DONTWAIT = 0x40;
  static final int MSG_TRUNC = 0x20;
  static final short POLLIN = 1;

  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;
  private static final int SO_ATTACH_FILTER = 26;
  private static final int LOAD_WORD = 0x20;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int RETURN = 0x06;

  private static final MethodHandle SOCKET =
      function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle BIND =
      function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle LISTEN =
      function("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle CONNECT =
      function("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle GETSOCKOPT =
      function(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle SETSOCKOPT =
      function(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle SEND =
      function("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle RECV =
      function("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle POLL =
      function("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle GETSOCKNAME =
      function("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle SETNS =
      function("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  private Libc() {}

  static int socket(int domain, int type, int protocol) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      return result((int) SOCKET.invokeExact(state, domain, type, protocol), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Binds to a netlink address: the kernel chooses the port, {@code groups} are the first 32. */
  static int bindNetlink(int fd, int groups) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment address = arena.allocate(12, 4);
      address.set(JAVA_SHORT, 0, (short) AF_NETLINK);
      address.set(JAVA_INT, 8, groups);
      return result((int) BIND.invokeExact(state, fd, address, 12), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** The port that the kernel chose for a netlink socket; any int, so none tells a failure. */
  static int netlinkPort(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment address = arena.allocate(12, 4);
      MemorySegment length = arena.allocate(JAVA_INT);
      length.set(JAVA_INT, 0, 12);
      int result = result((int) GETSOCKNAME.invokeExact(state, fd, address, length), state);
      if (result < 0) {
        throw new NetlinkException("cannot read a socket's own address", -result, "");
      }
      return address.get(JAVA_INT, 4);
    } catch (NetlinkException e) {
      throw e;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Gives a local socket a name that exists in its network namespace only, and in no folder. */
  static int bindAbstract(int fd, byte[] name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment address = abstractAddress(arena, name);
      return result((int) BIND.invokeExact(state, fd, address, (int) address.byteSize()), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Connects to the local socket of that name in the network namespace. */
  static int connectAbstract(int fd, byte[] name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment address = abstractAddress(arena, name);
      return result((int) CONNECT.invokeExact(state, fd, address, (int) address.byteSize()), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static MemorySegment abstractAddress(Arena arena, byte[] name) {
    MemorySegment address = arena.allocate(3 + name.length, 2);
    address.set(JAVA_SHORT, 0, (short) AF_UNIX);
    MemorySegment.copy(name, 0, address, JAVA_BYTE, 3, name.length);
    return address;
  }

  static int listen(int fd, int backlog) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      return result((int) LISTEN.invokeExact(state, fd, backlog), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /**
   * The process and the user at the other end of a local socket; process 0 where this one cannot
   * see it. Empty where the kernel does not say.
   */
  static int[] peer(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment credentials = arena.allocate(12, 4);
      MemorySegment length = arena.allocate(JAVA_INT);
      length.set(JAVA_INT, 0, 12);
      int result =
          result(
              (int) GETSOCKOPT.invokeExact(state, fd, SOL_SOCKET, SO_PEERCRED, credentials, length),
              state);
      return result < 0
          ? new int[0]
          : new int[] {credentials.get(JAVA_INT, 0), credentials.get(JAVA_INT, 4)};
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static int setOption(int fd, int level, int option, int value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment memory = arena.allocate(JAVA_INT);
      memory.set(JAVA_INT, 0, value);
      return result((int) SETSOCKOPT.invokeExact(state, fd, level, option, memory, 4), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Keeps datagrams away from a socket that have the number {@code value} at {@code offset}. */
  static int refuse(int fd, int offset, int value) {
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    int asRead = little ? Integer.reverseBytes(value) : value;
    long[] program = {
      instruction(LOAD_WORD, 0, offset),
      instruction(JUMP_IF_EQUAL, 1, asRead),
      instruction(RETURN, 0, 0),
      instruction(RETURN, 0, -1)
    };
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment code = arena.allocateFrom(JAVA_LONG, program);
      MemorySegment memory = arena.allocate(16, 8);
      memory.set(JAVA_SHORT, 0, (short) program.length);
      memory.set(ADDRESS, 8, code);
      return result(
          (int) SETSOCKOPT.invokeExact(state, fd, SOL_SOCKET, SO_ATTACH_FILTER, memory, 16), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** An instruction of a socket filter; {@code otherwise} is how many to skip where it fails. */
  private static long instruction(int code, int otherwise, int operand) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? code | (long) otherwise << 24 | (long) operand << 32
        : (long) code << 48 | (long) otherwise << 32 | Integer.toUnsignedLong(operand);
  }

  static long send(int fd, byte[] bytes, int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment memory = arena.allocate(Math.max(1, length));
      MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, 0, length);
      return result((long) SEND.invokeExact(state, fd, memory, (long) length, 0), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Memory that datagrams are received into, kept between them. */
  static final class Buffer {
    private final MemorySegment memory;

    Buffer(int size) {
      memory = Arena.ofAuto().allocate(size);
    }

    int size() {
      return (int) memory.byteSize();
    }

    /** The first {@code length} bytes. */
    byte[] copy(int length) {
      return memory.asSlice(0, length).toArray(JAVA_BYTE);
    }
  }

  /** Receives one datagram without waiting; a result above the buffer's size was cut to it. */
  static long receive(int fd, Buffer buffer) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      return result(
          (long)
              RECV.invokeExact(
                  state, fd, buffer.memory, buffer.memory.byteSize(), MSG_DONTWAIT | MSG_TRUNC),
          state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Waits until there is something to receive: 1, or 0 after so many milliseconds. */
  static int awaitReadable(int fd, int millis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      MemorySegment poll = arena.allocate(8, 4);
      poll.set(JAVA_INT, 0, fd);
      poll.set(JAVA_SHORT, 4, POLLIN);
      return result((int) POLL.invokeExact(state, poll, 1L, millis), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Moves the calling thread into a namespace. */
  static int setNamespace(int fd, int kind) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = state(arena);
      return result((int) SETNS.invokeExact(state, fd, kind), state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }
}
