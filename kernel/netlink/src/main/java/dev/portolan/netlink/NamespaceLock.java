package dev.portolan.netlink;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A lock that one process at a time holds in a network namespace.
 *
 * <p>It is a local socket with an abstract name. The kernel keeps such names per network namespace,
 * which is just what the lock is for: two containers on the host's network see the same lock, and
 * two namespaces on one host have two. It needs no file, so it works where every file system is
 * read-only or differs from container to container, and it is gone with its process, however that
 * ends.
 *
 * <p>The kernel names the process at the other end of a connection, but not across pid namespaces.
 * So the holder opens a second socket whose name has its own pid, host and command.
 *
 * <p>Any user may open a socket. A user that may not change rules cannot hold the lock against one
 * that may: such a socket does not count.
 */
public final class NamespaceLock implements AutoCloseable {
  private static final String PREFIX = "portolan-lock/";
  private static final int LONGEST_NAME = 107;
  private static final int NET_ADMIN = 12;

  /** Processes that ask for the holder stay in this queue, because connections are not accepted. */
  private static final int QUEUE = 4096;

  private static final int SLICE_MILLIS = 100;

  private final int fd;
  private final int sign;
  private boolean closed;

  private NamespaceLock(int fd, int sign) {
    this.fd = fd;
    this.sign = sign;
  }

  /**
   * Who holds a lock.
   *
   * @param pid its number as this process counts; 0 for one that it cannot see
   * @param description what it is, for a person
   */
  public record Holder(long pid, String description) {
    @Override
    public String toString() {
      return description;
    }
  }

  /**
   * Takes the lock {@code name}; empty where another process, or another part of this one, has it.
   *
   * @param command what this process is, for others that want the lock meanwhile
   */
  public static Optional<NamespaceLock> take(
      String name, Optional<Path> namespace, String command) {
    return inside(namespace, () -> take(name, command));
  }

  /**
   * Waits until the lock is free, and takes it.
   *
   * @param waiting notified of each holder that is waited for
   */
  public static NamespaceLock await(
      String name, Optional<Path> namespace, String command, Consumer<Holder> waiting)
      throws InterruptedException {
    while (true) {
      Optional<NamespaceLock> taken = take(name, namespace, command);
      if (taken.isPresent()) {
        return taken.get();
      }
      holder(name, namespace).ifPresent(waiting);
      awaitRelease(inside(namespace, () -> connect(name)));
    }
  }

  /** Returns when the holder lets go, which breaks the connection; or soon, without one. */
  private static void awaitRelease(int connection) throws InterruptedException {
    if (connection < 0) {
      TimeUnit.MILLISECONDS.sleep(SLICE_MILLIS);
      return;
    }
    try {
      while (Libc.awaitReadable(connection, SLICE_MILLIS) == 0) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } finally {
      CLibrary.close(connection);
    }
  }

  private static Optional<NamespaceLock> take(String name, String command) {
    int fd = socket(0);
    int bound = Libc.bindAbstract(fd, bytes(PREFIX + name));
    if (bound >= 0) {
      bound = Libc.listen(fd, QUEUE);
    }
    if (bound < 0) {
      CLibrary.close(fd);
      if (-bound == Errno.EADDRINUSE && holder(name).isPresent()) {
        return Optional.empty();
      }
      if (-bound == Errno.EADDRINUSE) {
        return Optional.of(new NamespaceLock(-1, -1));
      }
      throw new NetlinkException("cannot take the lock " + name, -bound, "");
    }
    int sign = socket(0);
    // Without a sign the lock is as good, only its holder less well known.
    Libc.bindAbstract(sign, bytes(sign(name, command)));
    return Optional.of(new NamespaceLock(fd, sign));
  }

  /** The holder of the lock {@code name}; empty where it is free. */
  public static Optional<Holder> holder(String name, Optional<Path> namespace) {
    return inside(namespace, () -> holder(name));
  }

  private static Optional<Holder> holder(String name) {
    int connection = connect(name);
    if (connection < 0 && -connection != Errno.EAGAIN) {
      return Optional.empty();
    }
    int[] peer = connection < 0 ? new int[0] : Libc.peer(connection);
    if (connection >= 0) {
      CLibrary.close(connection);
    }
    int pid = peer.length == 0 ? 0 : peer[0];
    boolean counts = peer.length == 0 || peer[1] == 0 || mayChangeRules(pid);
    return counts ? Optional.of(new Holder(pid, describe(name, pid))) : Optional.empty();
  }

  /** A connection to the holder, or the negated errno. */
  private static int connect(String name) {
    int fd = socket(Libc.SOCK_NONBLOCK);
    int connected = Libc.connectAbstract(fd, bytes(PREFIX + name));
    if (connected < 0) {
      CLibrary.close(fd);
      return connected;
    }
    return fd;
  }

  private static String describe(String name, int pid) {
    Optional<String> sign = readSign(name);
    if (pid > 0) {
      String command =
          sign.map(text -> text.split(" ", 3)[2])
              .or(() -> RunningProcess.ofThread(pid).map(RunningProcess::command))
              .orElse("a process");
      return command + " (pid " + pid + ")";
    }
    return sign.map(text -> text.split(" ", 3))
        .map(words ->
            words[2] + " (pid " + words[0] + " in another container, host name " + words[1] + ")")
        .orElse("a process in another container");
  }

  private static String sign(String name, String command) {
    return PREFIX + name + "/" + ProcessHandle.current().pid() + " " + host() + " " + command;
  }

  private static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "?";
    }
  }

  /** The kernel lists all names of the namespace, an abstract one behind an at sign. */
  private static Optional<String> readSign(String name) {
    String start = "@" + PREFIX + name + "/";
    try (Stream<String> lines =
        Files.lines(Path.of("/proc/thread-self/net/unix"), StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.contains(start))
          .map(line -> line.substring(line.indexOf(start) + start.length()))
          .filter(text -> text.split(" ", 3).length == 3)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean mayChangeRules(int pid) {
    if (pid == 0) {
      return false;
    }
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("CapEff:"))
          .map(line -> Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16))
          .anyMatch(capabilities -> (capabilities >> NET_ADMIN & 1) == 1);
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  private static int socket(int flags) {
    int fd = Libc.socket(Libc.AF_UNIX, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC | flags, 0);
    if (fd < 0) {
      throw new NetlinkException("cannot open a local socket", -fd, "");
    }
    return fd;
  }

  private static byte[] bytes(String name) {
    byte[] text = name.replaceAll("[^ -~]", "?").getBytes(StandardCharsets.US_ASCII);
    return text.length <= LONGEST_NAME ? text : Arrays.copyOf(text, LONGEST_NAME);
  }

  private static <T> T inside(
      Optional<Path> namespace, NetworkNamespace.Visit<T, RuntimeException> visit) {
    return namespace.isEmpty() ? visit.call() : new NetworkNamespace(namespace.get()).visit(visit);
  }

  /** Lets the next one have it. */
  @Override
  public void close() {
    if (!closed && fd >= 0) {
      CLibrary.close(sign);
      CLibrary.close(fd);
    }
    closed = true;
  }
}
