package dev.portolan.bpf;

import java.util.Locale;

/**
 * Where a cgroup calls a program that sees a socket and an address ({@code bpf_sock_addr}), or a
 * socket that is closed ({@code bpf_sock}).
 */
public enum SocketHook {
  CONNECT4(10),
  CONNECT6(11),
  SENDMSG4(14),
  SENDMSG6(15),
  RECVMSG4(19),
  RECVMSG6(20),
  GETPEERNAME4(29),
  GETPEERNAME6(30),
  SOCK_RELEASE(34);

  private static final int CGROUP_SOCK = 9;
  private static final int CGROUP_SOCK_ADDR = 18;

  private final int attachType;

  SocketHook(int attachType) {
    this.attachType = attachType;
  }

  int attachType() {
    return attachType;
  }

  /** The kernel's number for the kind of program that it calls. */
  int programType() {
    return this == SOCK_RELEASE ? CGROUP_SOCK : CGROUP_SOCK_ADDR;
  }

  /** Whether it sees IPv6 addresses, among them IPv4 ones in their mapped form. */
  public boolean isIpv6() {
    return name().endsWith("6");
  }

  /** {@code connect4} and so on. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
