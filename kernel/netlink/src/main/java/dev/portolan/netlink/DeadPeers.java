package dev.portolan.netlink;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Has the kernel end TCP connections of this process whose packets vanish, as when the machine at
 * the other end dies, or what forwards the packets forgets the connection.
 *
 * <p>Only a missing answer shows that, and a quiet connection expects none. So the kernel probes
 * the other kernel, with packets that the program there never sees. Java's client for HTTP gives no
 * access to its sockets, and Java has no option for packets that are not acknowledged; therefore
 * the sockets are found among the descriptors of the process.
 */
public final class DeadPeers {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int SO_KEEPALIVE = 9;
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_KEEPIDLE = 4;
  private static final int TCP_KEEPINTVL = 5;
  private static final int TCP_KEEPCNT = 6;
  private static final int TCP_USER_TIMEOUT = 18;

  /** Asks five times in the time that an answer may take, but not in the first two fifths of it. */
  private static final int ASKS = 5;

  private static final int QUIET = 2;

  private DeadPeers() {}

  /**
   * Ends connections to {@code port} after {@code limit} without an answer, except those for which
   * such options were set before.
   *
   * @return false where that cannot be done
   */
  public static boolean endAfter(Duration limit, int port) {
    boolean done = true;
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : descriptors) {
        int fd = Integer.parseInt(descriptor.getFileName().toString());
        done &= Libc.peerPort(fd) != port || isSet(fd) || set(fd, limit);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return false;
    }
    return done;
  }

  private static boolean isSet(int fd) {
    return Libc.option(fd, Libc.SOL_SOCKET, SO_KEEPALIVE) > 0;
  }

  private static boolean set(int fd, Duration limit) {
    int interval = Math.max(1, (int) (limit.toSeconds() / ASKS));
    return Libc.setOption(fd, IPPROTO_TCP, TCP_KEEPIDLE, QUIET * interval) >= 0
        && Libc.setOption(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval) >= 0
        && Libc.setOption(fd, IPPROTO_TCP, TCP_KEEPCNT, ASKS - QUIET) >= 0
        && Libc.setOption(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, (int) limit.toMillis()) >= 0
        && Libc.setOption(fd, Libc.SOL_SOCKET, SO_KEEPALIVE, 1) >= 0;
  }
}
