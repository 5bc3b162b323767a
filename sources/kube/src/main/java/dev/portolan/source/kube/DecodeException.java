package dev.portolan.source.kube;

import java.io.IOException;

/** Bytes that are not what an API server sends; the message says what was expected. */
final class DecodeException extends IOException {
  DecodeException(String message) {
    super(message);
  }

  DecodeException(String message, Throwable cause) {
    super(message, cause);
  }

  /** A body that ends early. */
  static DecodeException truncated() {
    return new DecodeException("the answer is truncated");
  }
}
