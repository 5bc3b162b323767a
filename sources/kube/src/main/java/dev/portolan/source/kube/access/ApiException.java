package dev.portolan.source.kube.access;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The API server did not answer, or cannot be asked; the message names the server or the file, the
 * cause, and what to do.
 */
public final class ApiException extends IOException {
  /** A failure that an administrator has to fix, or that may pass. */
  public ApiException(String message) {
    super(message);
  }

  /** The same, with its cause. */
  public ApiException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
