package dev.portolan.source.record;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;

/** A recording cannot be read or written; the message says which, why and what to do. */
public final class RecordingException extends RuntimeException implements Coded {
  private static final long serialVersionUID = 1;

  /** With a sentence for a person. */
  public RecordingException(String message) {
    super(message);
  }

  /** The same, because of {@code cause}. */
  public RecordingException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.RECORDING;
  }
}
