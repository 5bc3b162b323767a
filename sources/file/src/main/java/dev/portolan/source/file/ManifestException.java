package dev.portolan.source.file;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;

/**
 * Manifests that cannot be read; the message is a whole sentence that says where, why, and what to
 * do.
 */
public final class ManifestException extends RuntimeException implements Coded {
  /** Something that a person has to put right. */
  public ManifestException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.MANIFEST;
  }
}
