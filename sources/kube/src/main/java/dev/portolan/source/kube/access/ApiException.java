package dev.portolan.source.kube.access;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * There is no answer of the API server, or no way to ask it; the message is a whole sentence that
 * names the server or the file, the cause, and what to do.
 */
public final class ApiException extends IOException implements Coded {
  private final ErrorCode code;

  /** There is no way to ask the server: something that a person has to put right. */
  public ApiException(String message) {
    this(message, null);
  }

  /** The same, with what went wrong underneath. */
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
