package dev.portolan.source.kube;

import dev.portolan.source.kube.wire.ApiStatus;
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

  /** Whether the server ended a running watch, rather than refusing a request. */
  boolean endedWatch() {
    return endedWatch;
  }
}
