package dev.portolan.server;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** A server cannot listen where it should; the message says where, why, and what to do. */
public final class ListenException extends RuntimeException implements Coded {
  /** With a sentence for a person. */
  public ListenException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.LISTEN;
  }
}
