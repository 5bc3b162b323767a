package dev.portolan.web.http;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** A chart cannot be served; the message says why, and what to do. */
public final class ChartException extends RuntimeException implements Coded {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;

  ChartException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  @Override
  public ErrorCode code() {
    return code;
  }
}
