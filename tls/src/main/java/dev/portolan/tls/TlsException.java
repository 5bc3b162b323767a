package dev.portolan.tls;

import org.jspecify.annotations.Nullable;

/** Certificates or keys that cannot be used; the message says which file, why, and what to do. */
public final class TlsException extends Exception {
  TlsException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
