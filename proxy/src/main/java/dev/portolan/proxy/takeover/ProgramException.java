package dev.portolan.proxy.takeover;

/** A program is missing or failed; the message names it and says why. */
final class ProgramException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ProgramException(String message) {
    super(message);
  }

  ProgramException(String message, Throwable cause) {
    super(message, cause);
  }
}
