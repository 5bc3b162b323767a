package dev.portolan.netlink;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * How large the tables of iptables-legacy are. The kernel does not report that a table was changed,
 * but one call returns its size, which differs after most changes.
 */
public final class LegacyTables implements AutoCloseable {
  private static final int LEVEL_IPV4 = 0;
  private static final int LEVEL_IPV6 = 41;
  private static final int GET_INFO = 64;
  private static final int NAME_LENGTH = 32;

  /** Which chains there are, where each begins and where its policy is: not asked for. */
  private static final int OTHER_WORDS = 11;

  private final int fd;
  private final int level;

  /**
   * The size of a table.
   *
   * @param entries how many rules it has; a chain that was made counts as two
   * @param bytes how long these are together
   */
  public record Size(int entries, int bytes) {}

  /** Asks in this process's network namespace, or in the one that {@code namespace} names. */
  public LegacyTables(AddressFamily family, Optional<Path> namespace) {
    int domain = family == AddressFamily.IPV4 ? Libc.AF_INET : Libc.AF_INET6;
    fd =
        namespace.isEmpty()
            ? open(domain)
            : new NetworkNamespace(namespace.get()).visit(() -> open(domain));
    if (fd < 0) {
      throw new NetlinkException("cannot open a socket for the tables of iptables", -fd, "");
    }
    level = family == AddressFamily.IPV4 ? LEVEL_IPV4 : LEVEL_IPV6;
  }

  private static int open(int domain) {
    return Libc.socket(domain, Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC, 0);
  }

  /**
   * The size of a table, such as {@code nat}; empty where the kernel does not say. A table that was
   * never used may come into being.
   */
  public Optional<Size> size(String table) {
    byte[] name = Arrays.copyOf(table.getBytes(StandardCharsets.US_ASCII), NAME_LENGTH);
    int[] words = new int[OTHER_WORDS + 2];
    return Libc.option(fd, level, GET_INFO, name, words) < 0
        ? Optional.empty()
        : Optional.of(new Size(words[OTHER_WORDS], words[OTHER_WORDS + 1]));
  }

  @Override
  public void close() {
    CLibrary.close(fd);
  }
}
