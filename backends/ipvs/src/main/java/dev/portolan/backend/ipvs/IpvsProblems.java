package dev.portolan.backend.ipvs;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.route.Links;
import java.util.ArrayList;
import java.util.List;

/**
 * What went wrong while the rest was done. In the end it is one exception, with the code of the
 * first problem and the sentences of the first few.
 */
final class IpvsProblems {
  private static final int SENTENCES = 3;
  private static final int NO_FAMILY = 97;

  private final List<String> sentences = new ArrayList<>();
  private ErrorCode code = ErrorCode.BACKEND;

  /** Takes note of a problem. */
  void add(ErrorCode kind, String sentence) {
    if (sentences.isEmpty()) {
      code = kind;
    }
    sentences.add(sentence);
  }

  /** What the kernel refused, with what can be done about it. */
  void add(IpvsOrder.Refusal refusal) {
    IpvsOrder order = refusal.order();
    boolean ofServer = order.server() != null;
    switch (refusal.errno()) {
      case Errno.EPERM ->
          add(ErrorCode.PRIVILEGES, "not permitted; run as root or with CAP_NET_ADMIN");
      case Errno.ENOENT -> {
        if (ofServer || order.settings() == null) {
          rejected(refusal);
        } else {
          add(ErrorCode.HOST, IpvsRequirements.missing(order.settings().scheduler()));
        }
      }
      case Errno.EBUSY ->
          add(
              ErrorCode.RULES_REJECTED,
              "cannot " + order + ": another program is changing IPVS; it is tried again");
      case NO_FAMILY ->
          add(
              ErrorCode.HOST,
              "cannot " + order + ": IPVS of this kernel does not have that family of addresses");
      default -> rejected(refusal);
    }
  }

  private void rejected(IpvsOrder.Refusal refusal) {
    add(
        ErrorCode.RULES_REJECTED,
        "cannot "
            + refusal.order()
            + ": "
            + Errno.text(refusal.errno())
            + (refusal.text().isEmpty() ? "" : " (" + refusal.text() + ")"));
  }

  /** An address that could not be put on the device, or taken from it. */
  void add(String what, String device, Links.AddressRefusal refusal) {
    add(
        refusal.errno() == Errno.EPERM ? ErrorCode.PRIVILEGES : ErrorCode.RULES_REJECTED,
        "cannot "
            + what
            + " address "
            + refusal.address().getHostAddress()
            + " on "
            + device
            + ": "
            + Errno.text(refusal.errno()));
  }

  /** All sentences. */
  List<String> sentences() {
    return List.copyOf(sentences);
  }

  /** Throws what was noted, if anything was. */
  void check() {
    if (sentences.isEmpty()) {
      return;
    }
    List<String> distinct = sentences.stream().distinct().toList();
    String rest =
        distinct.size() <= SENTENCES ? "" : "; and " + (distinct.size() - SENTENCES) + " more";
    throw new BackendException(
        code, "ipvs: " + String.join("; ", distinct.stream().limit(SENTENCES).toList()) + rest);
  }
}
