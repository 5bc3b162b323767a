package dev.portolan.tls;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Certificates or keys that cannot be used; the message says which file, why, and what to do. */
public final class TlsException extends Exception implements Coded {
  TlsException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.TLS;
  }
}
