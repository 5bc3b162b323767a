package dev.portolan.demo;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Which programs this machine has. */
final class InstalledPrograms {
  private InstalledPrograms() {}

  /** Whether a program is on the PATH. */
  static boolean exist(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }
}
