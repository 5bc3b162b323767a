package dev.portolan.core.backend;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;

/**
 * A backend could not do what it was asked to; the message says what failed, where and what to do.
 */
public class BackendException extends RuntimeException implements Coded {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;

  /** With a sentence for a person. */
  public BackendException(String message) {
    this(ErrorCode.BACKEND, message);
  }

  /** With a sentence for a person and what lies behind it. */
  public BackendException(String message, Throwable cause) {
    this(ErrorCode.BACKEND, message, cause);
  }

  /** With a code for scripts and a sentence for a person. */
  public BackendException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  /** With a code for scripts, a sentence for a person and what lies behind it. */
  public BackendException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  @Override
  public ErrorCode code() {
    return code;
  }
}
