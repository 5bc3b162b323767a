package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnFailure;
import dev.portolan.core.net.IpFamily;

/**
 * A kind of refusal by HNS, to count.
 *
 * @param error as kube-proxy's metrics have it
 */
public record BalancerRefusal(Change change, IpFamily family, BalancerKind kind, String error) {
  /** What was refused. */
  public enum Change {
    CREATE,
    UPDATE,
    DELETE
  }

  static BalancerRefusal of(Change change, IpFamily family, BalancerKind kind, HcnFailure failure) {
    return new BalancerRefusal(
        change,
        family,
        kind,
        switch (failure) {
          case NETWORK_NOT_FOUND -> "network_not_found";
          case ALREADY_EXISTS -> "port_already_exists";
          case NOT_IMPLEMENTED -> "not_implemented";
          case INVALID_IP -> "invalid_ip";
          default -> "other";
        });
  }
}
