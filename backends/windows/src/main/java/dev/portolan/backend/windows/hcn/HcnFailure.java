package dev.portolan.backend.windows.hcn;

/** Why a call of HCN failed, as far as a program can do something about it. */
public enum HcnFailure {
  /** HNS does not run, or stopped in the middle of the call. */
  NOT_RUNNING,
  /** There is no such object. */
  NOT_FOUND,
  NETWORK_NOT_FOUND,
  ENDPOINT_NOT_FOUND,
  /** Another load balancer has the same address, protocol and port; or the same identifier. */
  ALREADY_EXISTS,
  INVALID_IP,
  NOT_IMPLEMENTED,
  INVALID_ARGUMENT,
  /** This process may not. */
  DENIED,
  OTHER;

  /** The HRESULT that says nothing. */
  static final int FAILED = 0x80004005;

  /** What an HRESULT stands for. */
  public static HcnFailure of(int result) {
    return switch (code(result)) {
      case 0x6b5, 0x6ba, 0x6be, 0x6bf -> NOT_RUNNING;
      case 0x490, 0x803b0008 -> NOT_FOUND;
      case 0x803b0001 -> NETWORK_NOT_FOUND;
      case 0x803b0002 -> ENDPOINT_NOT_FOUND;
      case 0x803b0013, 0xb7 -> ALREADY_EXISTS;
      case 0x803b001e -> INVALID_IP;
      case 0x80004001 -> NOT_IMPLEMENTED;
      case 0x57 -> INVALID_ARGUMENT;
      case 0x5 -> DENIED;
      default -> OTHER;
    };
  }

  /** The code of Windows itself, where the HRESULT is only its wrapping. */
  static int code(int result) {
    return (result & 0x1fff0000) == 0x00070000 ? result & 0xffff : result;
  }
}
