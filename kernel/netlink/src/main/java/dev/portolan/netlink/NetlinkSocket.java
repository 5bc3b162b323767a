package dev.portolan.netlink;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A socket to the kernel, in this process's network namespace or in another. One thread at a time
 * sends and receives.
 */
public final class NetlinkSocket implements AutoCloseable {
  /** The netlink protocols in use. */
  public static final int ROUTE = 0;

  public static final int SOCK_DIAG = 4;
  public static final int NETFILTER = 12;
  public static final int GENERIC = 16;

  private static final int SOL_SOCKET = 1;
  private static final int SO_SNDBUF = 7;
  private static final int SO_RCVBUF = 8;
  private static final int SO_SNDBUFFORCE = 32;
  private static final int SO_RCVBUFFORCE = 33;
  private static final int SOL_NETLINK = 270;
  private static final int NETLINK_ADD_MEMBERSHIP = 1;
  private static final int NETLINK_DROP_MEMBERSHIP = 2;
  private static final int NETLINK_CAP_ACK = 10;
  private static final int NETLINK_EXT_ACK = 11;
  private static final int NETLINK_GET_STRICT_CHK = 12;
  private static final int RECEIVE_BUFFER = 8 << 20;
  private static final int LARGEST_DATAGRAM = 128 << 10;
  private static final int SEND_TRIES = 1000;
  private static final int LARGEST_BACKLOG = 1_000_000;

  private final int fd;
  private final int port;

  /** The offset in a message of the number of the socket that caused it. */
  private static final int PORT_OFFSET = 12;

  private final Libc.Buffer buffer = new Libc.Buffer(LARGEST_DATAGRAM);
  private int sendBuffer;
  private boolean closed;

  private NetlinkSocket(int fd, int receiveBuffer) {
    this.fd = fd;
    this.port = Libc.netlinkPort(fd);
    option(SOL_NETLINK, NETLINK_CAP_ACK, 1);
    option(SOL_NETLINK, NETLINK_EXT_ACK, 1);
    option(SOL_NETLINK, NETLINK_GET_STRICT_CHK, 1);
    if (Libc.setOption(fd, SOL_SOCKET, SO_RCVBUFFORCE, receiveBuffer) < 0) {
      Libc.setOption(fd, SOL_SOCKET, SO_RCVBUF, receiveBuffer);
    }
  }

  /** Opens a socket in the network namespace that {@code namespace} stands for. */
  public static NetlinkSocket open(int protocol, Optional<Path> namespace) {
    return open(protocol, namespace, RECEIVE_BUFFER);
  }

  /** Opens a socket with a receive buffer of {@code receiveBuffer} bytes. */
  public static NetlinkSocket open(int protocol, Optional<Path> namespace, int receiveBuffer) {
    int fd =
        namespace.isEmpty()
            ? openHere(protocol)
            : new NetworkNamespace(namespace.get()).visit(() -> openHere(protocol));
    if (fd < 0) {
      throw new NetlinkException(
          "cannot open a netlink socket"
              + namespace.map(path -> " in network namespace " + path).orElse(""),
          -fd,
          "");
    }
    return new NetlinkSocket(fd, receiveBuffer);
  }

  private static int openHere(int protocol) {
    int fd = Libc.socket(Libc.AF_NETLINK, Libc.SOCK_RAW | Libc.SOCK_CLOEXEC, protocol);
    if (fd < 0) {
      return fd;
    }
    int bound = Libc.bindNetlink(fd, 0);
    if (bound < 0) {
      CLibrary.close(fd);
      return bound;
    }
    return fd;
  }

  /**
   * The number that the kernel knows this socket by. Notifications carry that of the socket which
   * caused them.
   */
  public int port() {
    return port;
  }

  /** Joins a multicast group. */
  public void join(int group) {
    int result = Libc.setOption(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group);
    if (result < 0) {
      throw new NetlinkException("cannot join netlink group " + group, -result, "");
    }
  }

  /** Leaves a multicast group. */
  public void leave(int group) {
    option(SOL_NETLINK, NETLINK_DROP_MEMBERSHIP, group);
  }

  /** Ignores what the socket with the number {@code port} causes, from now on; best effort. */
  public void ignore(int port) {
    Libc.refuse(fd, PORT_OFFSET, port);
  }

  /** Sends the messages that {@code messages} holds, in one datagram. */
  public void send(MessageWriter messages) {
    makeRoom(messages.length());
    Trace.sent(port, messages);
    long sent = 0;
    for (int i = 0; i < SEND_TRIES; i++) {
      sent = Libc.send(fd, messages.array(), messages.length());
      if (sent >= 0) {
        return;
      }
      if (-sent != Errno.EINTR && -sent != Errno.EAGAIN) {
        break;
      }
      LockSupport.parkNanos(100_000);
    }
    throw new NetlinkException(
        "cannot send " + messages.length() + " bytes to the kernel", (int) -sent, "");
  }

  /** Discards what arrived and was not read, such as the rest of an abandoned dump. */
  public void discardPending() {
    for (int i = 0; i < LARGEST_BACKLOG; i++) {
      long size = Libc.receive(fd, buffer);
      if (size < 0 && -size != Errno.EINTR && -size != Errno.ENOBUFS) {
        return;
      }
    }
    throw new NetlinkException("the kernel does not stop sending what was not asked for");
  }

  /**
   * Receives a datagram, waiting at most {@code wait}.
   *
   * @return what it holds, or null after the time has passed
   */
  public @Nullable MessageReader receive(Duration wait) {
    long deadline = System.nanoTime() + wait.toNanos();
    while (true) {
      long size = Libc.receive(fd, buffer);
      if (size > buffer.size()) {
        throw new NetlinkException(
            "the kernel sent a datagram of " + size + " bytes, too large to read");
      }
      if (size >= 0) {
        byte[] datagram = buffer.copy((int) size);
        Trace.received(port, datagram);
        return new MessageReader(datagram);
      }
      if (-size == Errno.EINTR) {
        continue;
      }
      if (-size != Errno.EAGAIN) {
        throw new NetlinkException("cannot receive from the kernel", (int) -size, "");
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return null;
      }
      int ready = Libc.awaitReadable(fd, (int) Math.min(Integer.MAX_VALUE, left / 1_000_000 + 1));
      if (ready < 0 && -ready != Errno.EINTR) {
        throw new NetlinkException("cannot wait for the kernel", -ready, "");
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      CLibrary.close(fd);
    }
  }

  /** A datagram must fit into the send buffer as a whole. */
  private void makeRoom(int length) {
    int wanted = length + (64 << 10);
    if (wanted > sendBuffer) {
      if (Libc.setOption(fd, SOL_SOCKET, SO_SNDBUFFORCE, wanted) < 0) {
        Libc.setOption(fd, SOL_SOCKET, SO_SNDBUF, wanted);
      }
      sendBuffer = wanted;
    }
  }

  /** Options that older kernels lack only make messages larger or poorer. */
  private void option(int level, int option, int value) {
    Libc.setOption(fd, level, option, value);
  }
}
