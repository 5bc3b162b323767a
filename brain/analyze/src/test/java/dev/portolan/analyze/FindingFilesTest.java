package dev.portolan.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every file of findings holds. With {@code -Dupdate} the expectations that fail are rewritten, to
 * be reviewed.
 */
final class FindingFilesTest {
  private static final Path FOLDER = Path.of("src/test/resources/findings");

  @TestFactory
  Stream<DynamicTest> everyFileHolds() throws IOException {
    if (Golden.UPDATE) {
      for (Path path : paths()) {
        Files.writeString(path, read(path).corrected());
      }
    }
    return files().stream()
        .flatMap(file ->
            file.cases().stream()
                .map(one ->
                    DynamicTest.dynamicTest(
                        file.name() + ": " + one.title(),
                        () -> assertThat(one.found()).isEqualTo(one.expected()))));
  }

  @Test
  void everyKnownMistakeIsFoundInSomeFile() {
    Set<String> found = new TreeSet<>();
    for (FindingFile file : files()) {
      file.cases().forEach(one -> one.expected().forEach(line -> found.add(line.split(" ", 3)[1])));
    }
    List<String> codes = Analysis.mistakes().stream().map(KnownMistake::code).toList();
    // The last resort: no warning of the brain is without a code of its own.
    assertThat(found).containsAll(codes.stream().filter(code -> !code.equals("P0901")).toList());
  }

  @Test
  void everyFileHasACaseWithoutFindings() {
    assertThat(files())
        .allMatch(file -> file.cases().stream().anyMatch(one -> one.expected().isEmpty()));
  }

  private static List<FindingFile> files() {
    return paths().stream().map(FindingFilesTest::read).toList();
  }

  private static FindingFile read(Path path) {
    try {
      return FindingFile.parse(path.getFileName().toString(), Files.readString(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> paths() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
