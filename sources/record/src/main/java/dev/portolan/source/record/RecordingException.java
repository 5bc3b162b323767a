package dev.portolan.source.record;

/** A recording cannot be read or written; the message says which, why and what to do. */
public final class RecordingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a sentence for a person. */
  public RecordingException(String message) {
    super(message);
  }
}
