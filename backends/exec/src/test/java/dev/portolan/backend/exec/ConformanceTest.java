package dev.portolan.backend.exec;

import dev.portolan.conformance.Conformance;
import dev.portolan.conformance.Sizes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** A program of another language goes through the conformance kit, behind a connection. */
final class ConformanceTest {
  private static final Path KEEP = Shop.EXAMPLES.resolve("exec/keep.py");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> aProgramConforms() {
    Path state = folder.resolve("state");
    ExecOptions options =
        ExecOptions.of(List.of(KEEP.toString(), state.toString()))
            .with(ExecOptions.Mode.INCREMENTAL);
    return Conformance.ofLines(() -> new ExecBackend(options), backend -> lines(state))
        .with(Sizes.SMALL)
        .overTheApi()
        .stream()
        .map(exercise -> DynamicTest.dynamicTest(exercise.name(), exercise::check));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
