package dev.portolan.text;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;

/**
 * A text that cannot be read; the message is a whole sentence that says where, why, and what to do.
 */
public final class TextException extends RuntimeException implements Coded {
  /** Something that a person has to put right. */
  public TextException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.MANIFEST;
  }
}
