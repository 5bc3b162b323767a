package dev.portolan.netlink;

import static dev.portolan.netlink.CLibrary.call;
import static dev.portolan.netlink.CLibrary.callLong;
import static dev.portolan.netlink.CLibrary.function;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteOrder;

/** The calls into C that sockets need. Each call returns what C returned, or the negated errno. */
final class Libc {
  static final int AF_UNIX = 1;
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;
  static final int AF_NETLINK = 16;
  static final int SOCK_STREAM = 1;
  static final int SOCK_DGRAM = 2;
  static final int SOCK_RAW = 3;
  static final int SOCK_NONBLOCK = 0x800;
  static final int SOCK_CLOEXEC = 0x80000;
  static final int MSG_DONTWAIT = 0x40;
  static final int MSG_TRUNC = 0x20;
  static final int SOL_SOCKET = 1;
  static final short POLLIN = 1;

  private static final int MADV_DONTNEED = 4;
  private static final int SOCKET_ADDRESS = 28;
  private static final int SO_PEERCRED = 17;
  private static final int SO_ATTACH_FILTER = 26;
  private static final int LOAD_WORD = 0x20;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int RETURN = 0x06;

  private static final MemorySegment SOCKET = function("socket");
  private static final MemorySegment BIND = function("bind");
  private static final MemorySegment LISTEN = function("listen");
  private static final MemorySegment CONNECT = function("connect");
  private static final MemorySegment GETSOCKOPT = function("getsockopt");
  private static final MemorySegment SETSOCKOPT = function("setsockopt");
  private static final MemorySegment SEND = function("send");
  private static final MemorySegment RECV = function("recv");
  private static final MemorySegment POLL = function("poll");
  private static final MemorySegment GETSOCKNAME = function("getsockname");
  private static final MemorySegment GETPEERNAME = function("getpeername");
  private static final MemorySegment SETNS = function("setns");
  private static final MemorySegment MADVISE = function("madvise");

  private Libc() {}

  static int socket(int domain, int type, int protocol) {
    return call(SOCKET, domain, type, protocol);
  }

  /** Binds to a netlink address: the kernel chooses the port, {@code groups} are the first 32. */
  static int bindNetlink(int fd, int groups) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(12, 4);
      address.set(JAVA_SHORT, 0, (short) AF_NETLINK);
      address.set(JAVA_INT, 8, groups);
      return call(BIND, fd, address.address(), 12);
    }
  }

  /** The port that the kernel chose for a netlink socket; any int, so none tells a failure. */
  static int netlinkPort(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(12, 4);
      MemorySegment length = arena.allocateFrom(JAVA_INT, 12);
      int result = call(GETSOCKNAME, fd, address.address(), length.address());
      if (result < 0) {
        throw new NetlinkException("cannot read a socket's own address", -result, "");
      }
      return address.get(JAVA_INT, 4);
    }
  }

  /** Gives a local socket a name that exists in its network namespace only, and in no folder. */
  static int bindAbstract(int fd, byte[] name) {
    return atAbstract(BIND, fd, name);
  }

  /** Connects to the local socket of that name in the network namespace. */
  static int connectAbstract(int fd, byte[] name) {
    return atAbstract(CONNECT, fd, name);
  }

  private static int atAbstract(MemorySegment function, int fd, byte[] name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(3 + name.length, 2);
      address.set(JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(name, 0, address, JAVA_BYTE, 3, name.length);
      return call(function, fd, address.address(), address.byteSize());
    }
  }

  static int listen(int fd, int backlog) {
    return call(LISTEN, fd, backlog);
  }

  /**
   * The process and the user at the other end of a local socket; process 0 where this one cannot
   * see it. Empty where the kernel does not say.
   */
  static int[] peer(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment credentials = arena.allocate(12, 4);
      MemorySegment length = arena.allocateFrom(JAVA_INT, 12);
      int result =
          call(GETSOCKOPT, fd, SOL_SOCKET, SO_PEERCRED, credentials.address(), length.address());
      return result < 0
          ? new int[0]
          : new int[] {credentials.get(JAVA_INT, 0), credentials.get(JAVA_INT, 4)};
    }
  }

  /** The port at the other end of a connected internet socket; below zero where it is none. */
  static int peerPort(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(SOCKET_ADDRESS, 4);
      MemorySegment length = arena.allocateFrom(JAVA_INT, SOCKET_ADDRESS);
      int result = call(GETPEERNAME, fd, address.address(), length.address());
      int family = address.get(JAVA_SHORT, 0);
      if (result < 0 || (family != AF_INET && family != AF_INET6)) {
        return Math.min(result, -1);
      }
      return Byte.toUnsignedInt(address.get(JAVA_BYTE, 2)) << 8
          | Byte.toUnsignedInt(address.get(JAVA_BYTE, 3));
    }
  }

  /** The value of an option that is a whole number, or the negated errno. */
  static int option(int fd, int level, int option) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(4, 4);
      MemorySegment length = arena.allocateFrom(JAVA_INT, 4);
      int result = call(GETSOCKOPT, fd, level, option, value.address(), length.address());
      return result < 0 ? result : value.get(JAVA_INT, 0);
    }
  }

  static int setOption(int fd, int level, int option, int value) {
    try (Arena arena = Arena.ofConfined()) {
      return call(SETSOCKOPT, fd, level, option, arena.allocateFrom(JAVA_INT, value).address(), 4);
    }
  }

  /**
   * Asks for an option that is a name followed by words, which the kernel fills in; returns the
   * negated errno where it does not.
   */
  static int option(int fd, int level, int option, byte[] name, int[] words) {
    try (Arena arena = Arena.ofConfined()) {
      long size = name.length + 4L * words.length;
      MemorySegment value = arena.allocate(size, 4);
      MemorySegment.copy(name, 0, value, JAVA_BYTE, 0, name.length);
      MemorySegment length = arena.allocateFrom(JAVA_INT, (int) size);
      int result = call(GETSOCKOPT, fd, level, option, value.address(), length.address());
      MemorySegment.copy(value, JAVA_INT, name.length, words, 0, words.length);
      return result;
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
      MemorySegment code = arena.allocateFrom(JAVA_LONG, program);
      MemorySegment memory = arena.allocate(16, 8);
      memory.set(JAVA_SHORT, 0, (short) program.length);
      memory.set(ADDRESS, 8, code);
      return call(SETSOCKOPT, fd, SOL_SOCKET, SO_ATTACH_FILTER, memory.address(), 16);
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
      MemorySegment memory =
          arena.allocateFrom(JAVA_BYTE, MemorySegment.ofArray(bytes), JAVA_BYTE, 0, length);
      return callLong(SEND, fd, memory.address(), length, 0);
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
    try {
      return callLong(
          RECV, fd, buffer.memory.address(), buffer.memory.byteSize(), MSG_DONTWAIT | MSG_TRUNC);
    } finally {
      Reference.reachabilityFence(buffer);
    }
  }

  /** Waits until there is something to receive: 1, or 0 after {@code millis} milliseconds. */
  static int awaitReadable(int fd, int millis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment poll = arena.allocate(8, 4);
      poll.set(JAVA_INT, 0, fd);
      poll.set(JAVA_SHORT, 4, POLLIN);
      return call(POLL, poll.address(), 1, millis);
    }
  }

  /** Moves the calling thread into a namespace. */
  static int setNamespace(int fd, int kind) {
    return call(SETNS, fd, kind);
  }

  /** Gives back the pages of a range; those of files come from there again when they are used. */
  static int giveBack(long start, long end) {
    return call(MADVISE, start, end - start, MADV_DONTNEED);
  }
}
