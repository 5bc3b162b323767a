package dev.portolan.lab;

/** The lab could not be built or used; the message says what failed and what to do. */
public final class LabException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LabException(String message) {
    super(message);
  }

  LabException(String message, Throwable cause) {
    super(message, cause);
  }
}
