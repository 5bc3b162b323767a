package dev.portolan.backend.windows.hcn;

import java.util.Set;
import java.util.stream.Stream;

/** Why a call of HCN failed, as far as a program can do something about it. */
public enum HcnFailure {
  /** HNS does not run, or stopped in the middle of the call. */
  NOT_RUNNING(0x6b5, 0x6ba, 0x6be, 0x6bf),
  /** There is no such object. */
  NOT_FOUND(0x490, 0x803b0008),
  NETWORK_NOT_FOUND(0x803b0001),
  ENDPOINT_NOT_FOUND(0x803b0002),
  /** Another load balancer has the same address, protocol and port. */
  ALREADY_EXISTS(0x803b0013, 0xb7),
  INVALID_IP(0x803b001e),
  NOT_IMPLEMENTED(0x80004001),
  INVALID_ARGUMENT(0x57),
  /** This process may not. */
  DENIED(0x5),
  OTHER();

  /** The HRESULT that says nothing. */
  static final int FAILED = 0x80004005;

  private final Set<Integer> codes;

  HcnFailure(Integer... codes) {
    this.codes = Set.of(codes);
  }

  /** What an HRESULT stands for. */
  public static HcnFailure of(int result) {
    return Stream.of(values())
        .filter(failure -> failure.codes.contains(code(result)))
        .findFirst()
        .orElse(OTHER);
  }

  /** The code of Windows itself, where the HRESULT is only its wrapping. */
  static int code(int result) {
    return (result & 0x1fff0000) == 0x00070000 ? result & 0xffff : result;
  }
}
