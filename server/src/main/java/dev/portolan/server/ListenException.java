package dev.portolan.server;

import org.jspecify.annotations.Nullable;

/** A server cannot listen where it should; the message says where, why, and what to do. */
public final class ListenException extends Exception {
  ListenException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
