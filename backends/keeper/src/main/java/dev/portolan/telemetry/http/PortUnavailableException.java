package dev.portolan.telemetry.http;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;

/** A port could not be opened; the message says why. */
public final class PortUnavailableException extends RuntimeException implements Coded {
  PortUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.LISTEN;
  }
}
