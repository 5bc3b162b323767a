package dev.portolan.text;

/**
 * A text that cannot be read; the message is a whole sentence that says where, why, and what to do.
 */
public final class TextException extends RuntimeException {
  /** Something that a person has to put right. */
  public TextException(String message) {
    super(message);
  }
}
