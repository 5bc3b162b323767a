package dev.portolan.testkit.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the programs that {@code ./dev peers} built. */
public final class Peers {
  private Peers() {}

  /** The program {@code name}, in the newest version that is there. */
  public static Optional<Path> find(String name) {
    Path folder = folder();
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(name + "-[0-9.]+"))
          .filter(Files::isExecutable)
          .max(Comparator.comparing(Path::getFileName));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The program {@code name}, which must be there. */
  public static Path program(String name) {
    return find(name)
        .orElseThrow(() ->
            new IllegalStateException(name + " is not in " + folder() + "; ./dev peers builds it"));
  }

  /** Where they are. */
  static Path folder() {
    String own = System.getenv("PORTOLAN_PEERS");
    if (own != null) {
      return Path.of(own);
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    Path base = cache == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    return base.resolve("portolan").resolve("peers");
  }
}
