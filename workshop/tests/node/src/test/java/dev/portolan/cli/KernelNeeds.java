package dev.portolan.cli;

import dev.portolan.lab.Lab;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What tests on a real kernel need of the machine; says so loudly, and fails in CI. */
final class KernelNeeds {
  private KernelNeeds() {}

  /** Skips the test where it cannot run, and fails it where CI is true. */
  static void check() {
    Optional<String> obstacle =
        Lab.obstacle()
            .or(() ->
                Stream.of("nft", "unshare")
                    .filter(program -> !exists(program))
                    .map(program -> "the test needs the program " + program)
                    .findFirst());
    if (obstacle.isPresent()) {
      if ("true".equals(System.getenv("CI"))) {
        throw new AssertionError(obstacle.get());
      }
      System.err.println("NOT TESTED: " + obstacle.get());
      Assumptions.abort(obstacle.get());
    }
  }

  private static boolean exists(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
