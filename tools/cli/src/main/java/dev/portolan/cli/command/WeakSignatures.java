package dev.portolan.cli.command;

import java.security.Security;

/**
 * Refuses certificates of servers that were signed with SHA-1, as Go does, and so kube-proxy.
 *
 * <p>Java refuses them from public authorities alone. To know those it parses all of them at the
 * first handshake, while a start waits, and keeps them.
 */
final class WeakSignatures {
  private static final String RULES = "jdk.certpath.disabledAlgorithms";

  private WeakSignatures() {}

  /** Refuses them from now on; to be called before the first handshake. */
  static void refuse() {
    Security.setProperty(
        RULES,
        Security.getProperty(RULES)
            .replace("SHA1 jdkCA & usage TLSServer", "SHA1 usage TLSServer"));
  }
}
