package dev.portolan.netlink;

/** The kernel refused something, or a socket failed; the message names what and why. */
public class NetlinkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int errno;

  /** {@code what} failed with {@code errno}, for which the kernel gave the text {@code detail}. */
  public NetlinkException(String what, int errno, String detail) {
    super(what + ": " + Errno.text(errno) + (detail.isEmpty() ? "" : " (" + detail + ")"));
    this.errno = errno;
  }

  /** Something failed with {@code errno}, which {@code message} has in words already. */
  NetlinkException(String message, int errno) {
    super(message);
    this.errno = errno;
  }

  /** A message from the kernel that cannot be read. */
  public NetlinkException(String what) {
    super(what);
    this.errno = 0;
  }

  /** A message from the kernel that cannot be read, as {@code cause} says. */
  public NetlinkException(String what, Throwable cause) {
    super(what, cause);
    this.errno = 0;
  }

  /** The kernel's error number; 0 where there is none. */
  public int errno() {
    return errno;
  }
}
