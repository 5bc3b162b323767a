package dev.portolan.client;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;

/** A server could not be asked; the message says where, why, and what to do. */
public final class ConnectionException extends Exception implements Coded {
  private static final long serialVersionUID = 1;

  /** A failure for a reason. */
  public ConnectionException(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  ConnectionException(String sentence) {
    super(sentence);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.BRAIN_API;
  }
}
