package dev.portolan.source.record;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Rights of what is written: a recording shows a whole cluster, so only its owner may read it. */
final class OwnerOnly {
  private OwnerOnly() {}

  private static final String FILE = "rw-------";

  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  /** For a file. */
  static FileAttribute<?>[] file() {
    return rights(FILE);
  }

  /** For a folder. */
  static FileAttribute<?>[] folder() {
    return rights("rwx------");
  }

  /** Takes the rights of others from a file of ours, which an older version may have created. */
  static void tighten(Path file) {
    if (POSIX) {
      try {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(FILE));
      } catch (IOException e) {
        // It belongs to another user, who decides.
      }
    }
  }

  /** None on Windows, where a file has the rights of its folder. */
  private static FileAttribute<?>[] rights(String text) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))
        }
        : new FileAttribute<?>[0];
  }
}
