package dev.portolan.testkit.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Finds and runs the programs that {@code ./dev peers} built. */
public final class Peers {
  private static final int PATIENCE_SECONDS = 120;

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

  /**
   * Runs a program that {@code ./dev peers} built; returns what it printed.
   *
   * @throws IllegalStateException with its complaint, where it fails
   */
  public static String run(String name, String input, List<String> words) {
    List<String> command = new ArrayList<>(List.of(program(name).toString()));
    command.addAll(words);
    try {
      Path in = Files.writeString(Files.createTempFile(name, ".in"), input);
      Path out = Files.createTempFile(name, ".out");
      Path errors = Files.createTempFile(name, ".err");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new IllegalStateException(command + " does not end");
        }
        if (process.exitValue() != 0) {
          throw new IllegalStateException(command + " failed: " + Files.readString(errors));
        }
        return Files.readString(out);
      } finally {
        Files.deleteIfExists(in);
        Files.deleteIfExists(out);
        Files.deleteIfExists(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running " + command, e);
    }
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
