package dev.portolan.bench.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for the files of a measurement, which goes with all that is in it. */
public record BenchFolder(Path path) implements AutoCloseable {
  /** Makes one. */
  public static BenchFolder create() throws IOException {
    return new BenchFolder(Files.createTempDirectory("portolan-bench-"));
  }

  /** Where something in it is. */
  public Path file(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
