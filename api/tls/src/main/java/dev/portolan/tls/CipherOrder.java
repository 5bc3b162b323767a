package dev.portolan.tls;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Prefers ChaCha20. AES-GCM is fast only where the optimising compiler replaces it by processor
 * instructions, and a small process runs without that compiler.
 */
public final class CipherOrder {
  private CipherOrder() {}

  /** The same suites, with those first that cost least. */
  public static List<String> cheapFirst(Collection<String> suites) {
    return suites.stream()
        .sorted(Comparator.comparing(suite -> !suite.contains("CHACHA20")))
        .toList();
  }
}
