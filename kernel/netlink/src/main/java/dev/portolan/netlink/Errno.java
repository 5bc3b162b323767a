package dev.portolan.netlink;

import java.util.Map;

/** The kernel's error numbers, for a person. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int EMSGSIZE = 90;
  public static final int EOPNOTSUPP = 95;
  public static final int EADDRINUSE = 98;
  public static final int ENOBUFS = 105;
  public static final int ERESTART = 85;

  private static final Map<Integer, String> TEXTS =
      Map.ofEntries(
          Map.entry(EPERM, "EPERM: not permitted; CAP_NET_ADMIN is needed"),
          Map.entry(ENOENT, "ENOENT: no such object"),
          Map.entry(EINTR, "EINTR: interrupted"),
          Map.entry(EAGAIN, "EAGAIN: try again"),
          Map.entry(ENOMEM, "ENOMEM: out of memory"),
          Map.entry(EACCES, "EACCES: access denied"),
          Map.entry(EBUSY, "EBUSY: still in use"),
          Map.entry(EEXIST, "EEXIST: exists already"),
          Map.entry(EINVAL, "EINVAL: invalid"),
          Map.entry(EMFILE, "EMFILE: too many open files"),
          Map.entry(28, "ENOSPC: the set is full"),
          Map.entry(31, "EMLINK: a loop of chains"),
          Map.entry(34, "ERANGE: out of range"),
          Map.entry(ERESTART, "ERESTART: another process changed the rules meanwhile"),
          Map.entry(EMSGSIZE, "EMSGSIZE: the message is too large"),
          Map.entry(93, "EPROTONOSUPPORT: this kernel does not have that protocol"),
          Map.entry(EOPNOTSUPP, "EOPNOTSUPP: not supported by this kernel"),
          Map.entry(97, "EAFNOSUPPORT: this kernel does not have that family"),
          Map.entry(EADDRINUSE, "EADDRINUSE: the address is in use"),
          Map.entry(ENOBUFS, "ENOBUFS: the socket's buffer is full"));

  private Errno() {}

  /** Whether the same may succeed in a moment, with nothing else done about it. */
  public static boolean passes(int errno) {
    return switch (errno) {
      case EINTR, EAGAIN, ENOMEM, EBUSY, ENFILE, EMFILE, ERESTART, ENOBUFS -> true;
      default -> false;
    };
  }

  /** The name and meaning of an error number. */
  public static String text(int errno) {
    return TEXTS.getOrDefault(errno, "errno " + errno);
  }
}
