package dev.portolan.source.kube.wire;

import java.io.IOException;

/** Bytes that are not what an API server sends; the message says what was expected. */
public final class DecodeException extends IOException {
  /** {@code message} says what is wrong with the answer. */
  public DecodeException(String message) {
    super(message);
  }

  DecodeException(String message, Throwable cause) {
    super(message, cause);
  }

  /** A body that ends early. */
  public static DecodeException truncated() {
    return new DecodeException("the answer is truncated");
  }
}
