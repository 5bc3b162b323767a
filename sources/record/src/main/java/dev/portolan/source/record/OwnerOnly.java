package dev.portolan.source.record;

import java.nio.file.FileSystems;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Rights of what is created: a recording shows a whole cluster, so only its owner may read it. */
final class OwnerOnly {
  private OwnerOnly() {}

  /** For a file. */
  static FileAttribute<?>[] file() {
    return rights("rw-------");
  }

  /** For a folder. */
  static FileAttribute<?>[] folder() {
    return rights("rwx------");
  }

  /** None on Windows, where a file has the rights of its folder. */
  private static FileAttribute<?>[] rights(String text) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))
        }
        : new FileAttribute<?>[0];
  }
}
