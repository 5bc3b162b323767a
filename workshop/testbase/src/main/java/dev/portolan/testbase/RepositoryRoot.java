package dev.portolan.testbase;

import java.nio.file.Files;
import java.nio.file.Path;

/** The files of this repository, whichever folder of it a test runs in. */
public final class RepositoryRoot {
  private static final Path ROOT = find();

  private RepositoryRoot() {}

  /** A file or folder, by its path from the root; as short from here as a user would write it. */
  public static Path resolve(String path) {
    return ROOT.resolve(path);
  }

  private static Path find() {
    Path here = Path.of("").toAbsolutePath();
    for (Path folder = here; folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(".mvn"))) {
        return here.relativize(folder);
      }
    }
    throw new IllegalStateException("there is no folder .mvn above " + here);
  }
}
