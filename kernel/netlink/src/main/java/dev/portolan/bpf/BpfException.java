package dev.portolan.bpf;

import java.util.Map;

/** The kernel refused something about eBPF; the message names what and why. */
public final class BpfException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** No such object, or an unknown pin. */
  public static final int ENOENT = 2;

  /** A map has no room for another entry. */
  public static final int E2BIG = 7;

  /** This process may not do it. */
  public static final int EPERM = 1;

  static final int EEXIST = 17;
  static final int EINVAL = 22;
  static final int ENOSPC = 28;

  private static final Map<Integer, String> TEXTS =
      Map.of(
          EPERM,
          "EPERM: not permitted; CAP_BPF and CAP_NET_ADMIN, or CAP_SYS_ADMIN, are needed",
          ENOENT,
          "ENOENT: no such object",
          E2BIG,
          "E2BIG: the map is full",
          12,
          "ENOMEM: out of memory",
          13,
          "EACCES: access denied",
          EEXIST,
          "EEXIST: exists already",
          EINVAL,
          "EINVAL: this kernel does not have that, or the request is invalid",
          24,
          "EMFILE: too many open files",
          ENOSPC,
          "ENOSPC: no space",
          38,
          "ENOSYS: this kernel was built without bpf(2)");

  private final int errno;

  BpfException(String what, int errno) {
    super(what + ": " + TEXTS.getOrDefault(errno, "errno " + errno));
    this.errno = errno;
  }

  BpfException(String sentence, int errno, String detail) {
    super(sentence + ": " + detail);
    this.errno = errno;
  }

  /** The kernel's error number. */
  public int errno() {
    return errno;
  }
}
