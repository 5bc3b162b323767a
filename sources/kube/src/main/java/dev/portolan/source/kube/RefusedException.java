package dev.portolan.source.kube;

import java.io.IOException;

/** The server answered, but not with what it was asked for; the message is a whole sentence. */
final class RefusedException extends IOException {
  private final transient ApiStatus status;
  private final boolean endedWatch;

  RefusedException(String message, ApiStatus status, boolean endedWatch) {
    super(message);
    this.status = status;
    this.endedWatch = endedWatch;
  }

  /** What the server said. */
  ApiStatus status() {
    return status;
  }

  /** Whether it was said in the course of a watch, and not as the answer to a question. */
  boolean endedWatch() {
    return endedWatch;
  }

  /** Whether the server does not do what it was asked, whenever it is asked. */
  boolean refusesQuestion() {
    return !endedWatch && (status.code() == 400 || status.code() == 403 || status.code() == 422);
  }
}
