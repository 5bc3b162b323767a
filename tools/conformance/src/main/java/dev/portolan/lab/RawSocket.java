package dev.portolan.lab;

import static dev.portolan.netlink.CLibrary.call;
import static dev.portolan.netlink.CLibrary.function;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A raw IP socket, for a protocol that Java's sockets and many kernels do not speak. The only class
 * of the lab that sees native memory. Results below zero are negated errnos.
 */
final class RawSocket implements AutoCloseable {
  /** The rules of this machine stopped a packet on its way out. */
  static final int NOT_PERMITTED = -1;

  /** It was rejected. */
  static final int REFUSED = -111;

  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int RAW_NONBLOCK_CLOEXEC = 3 | 0x800 | 0x80000;
  private static final int LENGTH_V4 = 16;
  private static final int LENGTH_V6 = 28;
  private static final short POLLIN = 1;
  private static final int BIGGEST = 2048;

  private static final MemorySegment SOCKET = function("socket");
  private static final MemorySegment BIND = function("bind");
  private static final MemorySegment CONNECT = function("connect");
  private static final MemorySegment POLL = function("poll");
  // Packets are small, so an int holds what these return.
  private static final MemorySegment SENDTO = function("sendto");
  private static final MemorySegment RECVFROM = function("recvfrom");

  private final int fd;
  private final IpFamily family;

  /** What came: an error below zero, or 0 and a packet without its IP header. */
  record Received(int error, ByteBuffer payload, Ip source) {}

  private RawSocket(int fd, IpFamily family) {
    this.fd = fd;
    this.family = family;
  }

  /** Opens a socket in the namespace of the calling thread, bound to {@code own}. */
  static RawSocket open(int protocol, Ip own) throws IOException {
    boolean v4 = own.family() == IpFamily.IPV4;
    try (Arena arena = Arena.ofConfined()) {
      int fd = call(SOCKET, v4 ? AF_INET : AF_INET6, RAW_NONBLOCK_CLOEXEC, protocol);
      if (fd < 0) {
        throw new IOException("no raw socket of protocol " + protocol + ": errno " + -fd);
      }
      RawSocket socket = new RawSocket(fd, own.family());
      MemorySegment address = address(arena, own);
      int bound = call(BIND, fd, address.address(), address.byteSize());
      if (bound < 0) {
        socket.close();
        throw new IOException("could not bind to " + own + ": errno " + -bound);
      }
      return socket;
    }
  }

  /** Hears from {@code peer} only from now on, and of refusals too. */
  void connect(Ip peer) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = address(arena, peer);
      int done = call(CONNECT, fd, address.address(), address.byteSize());
      if (done < 0) {
        throw new IOException("could not connect to " + peer + ": errno " + -done);
      }
    }
  }

  /** Sends one packet. */
  int send(byte[] payload, Ip peer) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocateFrom(JAVA_BYTE, payload);
      MemorySegment address = address(arena, peer);
      return call(
          SENDTO, fd, memory.address(), payload.length, 0, address.address(), address.byteSize());
    }
  }

  /** Takes one packet, or the error that is there instead; does not wait. */
  Received receive() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BIGGEST);
      MemorySegment address = arena.allocate(LENGTH_V6, 4);
      MemorySegment length = arena.allocateFrom(JAVA_INT, LENGTH_V6);
      int size =
          call(RECVFROM, fd, memory.address(), BIGGEST, 0, address.address(), length.address());
      if (size < 0) {
        return new Received(size, ByteBuffer.allocate(0), Ip.v4(0));
      }
      boolean v4 = family == IpFamily.IPV4;
      int header = v4 ? (memory.get(JAVA_BYTE, 0) & 0xf) * 4 : 0;
      byte[] payload = memory.asSlice(header, size - header).toArray(JAVA_BYTE);
      byte[] source = address.asSlice(v4 ? 4 : 8, v4 ? 4 : 16).toArray(JAVA_BYTE);
      return new Received(0, ByteBuffer.wrap(payload), AnswerLine.ip(source));
    }
  }

  /** Those of {@code sockets} that have something to receive within {@code millis} milliseconds. */
  static List<RawSocket> ready(List<RawSocket> sockets, int millis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment polls = arena.allocate(8L * Math.max(1, sockets.size()), 4);
      for (int i = 0; i < sockets.size(); i++) {
        polls.set(JAVA_INT, 8L * i, sockets.get(i).fd);
        polls.set(JAVA_SHORT, 8L * i + 4, POLLIN);
      }
      int count = call(POLL, polls.address(), sockets.size(), millis);
      List<RawSocket> ready = new ArrayList<>();
      for (int i = 0; count > 0 && i < sockets.size(); i++) {
        if (polls.get(JAVA_SHORT, 8L * i + 6) != 0) {
          ready.add(sockets.get(i));
        }
      }
      return ready;
    }
  }

  @Override
  public void close() {
    CLibrary.close(fd);
  }

  /** A {@code sockaddr}; raw sockets have no port. */
  private static MemorySegment address(Arena arena, Ip ip) {
    boolean v4 = ip.family() == IpFamily.IPV4;
    MemorySegment address = arena.allocate(v4 ? LENGTH_V4 : LENGTH_V6, 4);
    address.set(JAVA_SHORT, 0, (short) (v4 ? AF_INET : AF_INET6));
    byte[] bytes = ip.toBytes();
    MemorySegment.copy(bytes, 0, address, JAVA_BYTE, v4 ? 4 : 8, bytes.length);
    return address;
  }
}
