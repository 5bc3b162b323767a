package dev.portolan.client;

/** A server could not be asked; the message says where, why, and what to do. */
public final class ConnectionException extends Exception {
  private static final long serialVersionUID = 1;

  ConnectionException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
