package dev.portolan.bpf;

import java.util.Locale;

/**
 * Where a cgroup calls a program that sees a socket and an address: {@code bpf_sock_addr}. A socket
 * that is closed is shown alone: {@code bpf_sock}.
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
  RELEASE(9, 34);

  private static final int SOCKET_ADDRESS = 18;

  private final int programType;
  private final int attachType;

  SocketHook(int attachType) {
    this(SOCKET_ADDRESS, attachType);
  }

  SocketHook(int programType, int attachType) {
    this.programType = programType;
    this.attachType = attachType;
  }

  int programType() {
    return programType;
  }

  int attachType() {
    return attachType;
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
