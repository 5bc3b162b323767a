package dev.portolan.tls;

import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When a certificate expired, in words. */
public final class Expiry {
  private static final int DEEPEST = 20;
  private static final String WORDS = "NotAfter: ";

  private Expiry() {}

  /** When the certificate of {@code identity} expired; empty where it is still valid. */
  public static Optional<Instant> of(Identity identity) {
    X509Certificate own = identity.chain().getFirst();
    Instant end = own.getNotAfter().toInstant();
    return Optional.of(end).filter(Instant.now()::isAfter);
  }

  /**
   * When the other side's certificate expired, where that is why a handshake failed; as the JDK
   * writes it.
   */
  public static Optional<String> in(@Nullable Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      String text = String.valueOf(cause.getMessage());
      if (cause instanceof CertificateExpiredException) {
        return Optional.of(text.startsWith(WORDS) ? text.substring(WORDS.length()) : text);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }
}
