package dev.portolan.doctor.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner may read. */
final class OwnerOnly {
  private OwnerOnly() {}

  /** Makes an empty file; fails if it exists. */
  static void create(Path file) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }
}
