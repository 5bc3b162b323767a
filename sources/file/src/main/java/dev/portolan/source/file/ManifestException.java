package dev.portolan.source.file;

/**
 * Manifests that cannot be read; the message is a whole sentence that says where, why, and what to
 * do.
 */
public final class ManifestException extends RuntimeException {
  /** Something that a person has to put right. */
  public ManifestException(String message) {
    super(message);
  }
}
