package dev.portolan.source.kube.access;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * There is no answer of the API server, or no way to ask it; the message is a whole sentence that
 * names the server or the file, the cause, and what to do.
 */
public final class ApiException extends IOException {
  /** Something that a person has to put right, or that may pass. */
  public ApiException(String message) {
    super(message);
  }

  /** The same, with what went wrong underneath. */
  public ApiException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
