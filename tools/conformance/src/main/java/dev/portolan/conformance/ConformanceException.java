package dev.portolan.conformance;

/** A candidate did what it must not, or did not what it must; the message is a sentence. */
public final class ConformanceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With what went wrong. */
  public ConformanceException(String message) {
    super(message);
  }
}
