package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnException;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.SyncProblems;
import dev.portolan.core.error.ErrorCode;

/** What HNS refused while the rest was done, in sentences. */
final class WindowsProblems extends SyncProblems {
  WindowsProblems() {
    super("");
  }

  /**
   * Takes note of what HNS refused.
   *
   * @param what what was tried, such as {@code cannot create the load balancer of default/web}
   * @throws BackendException at once where nothing else can succeed either
   */
  void add(String what, HcnException refused) {
    switch (refused.failure()) {
      case NOT_RUNNING, NETWORK_NOT_FOUND, DENIED -> throw failure(refused).leaving(1);
      case INVALID_IP ->
          add(
              ErrorCode.RULES_REJECTED,
              what + ": HNS does not take the address (" + refused.getMessage() + ")");
      case ALREADY_EXISTS ->
          add(
              ErrorCode.FOREIGN_RULES,
              what
                  + ": several load balancers of other programs have the same address and port,"
                  + " which Get-HnsPolicyList shows; delete them ("
                  + refused.getMessage()
                  + ")");
      default -> add(ErrorCode.RULES_REJECTED, what + ": " + refused.getMessage());
    }
  }

  /** What a refusal is that nothing can be done about here. */
  static BackendException failure(HcnException refused) {
    return switch (refused.failure()) {
      case NOT_RUNNING ->
          new BackendException(
              ErrorCode.HOST,
              "the Host Network Service does not run, and the rest was not changed; if it stays so,"
                  + " Start-Service hns ("
                  + refused.getMessage()
                  + ")",
              refused);
      case NETWORK_NOT_FOUND ->
          new BackendException(
              ErrorCode.HOST,
              "the network of HNS has gone while it was used; it is tried again once the CNI"
                  + " plugin has made it again ("
                  + refused.getMessage()
                  + ")",
              refused);
      case DENIED ->
          new BackendException(
              ErrorCode.PRIVILEGES,
              "HNS does not let this process change load balancers; run as administrator ("
                  + refused.getMessage()
                  + ")",
              refused);
      default ->
          new BackendException(
              ErrorCode.RULES_REJECTED, String.valueOf(refused.getMessage()), refused);
    };
  }
}
