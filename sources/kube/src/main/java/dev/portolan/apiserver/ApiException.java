package dev.portolan.apiserver;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The API server did not answer, or cannot be asked; the message names the server or the file, the
 * cause, and what to do.
 */
public final class ApiException extends IOException implements Coded {
  private final ErrorCode code;

  /** The server cannot be asked; an administrator has to fix the cause. */
  public ApiException(String message) {
    this(message, null);
  }

  /** The same, with its cause. */
  public ApiException(String message, @Nullable Throwable cause) {
    this(ErrorCode.CREDENTIALS, message, cause);
  }

  /** With a code for scripts. */
  ApiException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  @Override
  public ErrorCode code() {
    return code;
  }
}
