package dev.portolan.telemetry.http;

/** A port could not be opened; the message names it, and says why and what to do. */
public final class ListenException extends RuntimeException {
  ListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
