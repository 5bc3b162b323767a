package dev.portolan.core.backend;

/**
 * A backend could not do what it was asked to; the message says what failed, where and what to do.
 */
public class BackendException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a sentence for a person. */
  public BackendException(String message) {
    super(message);
  }

  /** With a sentence for a person and what lies behind it. */
  public BackendException(String message, Throwable cause) {
    super(message, cause);
  }
}
