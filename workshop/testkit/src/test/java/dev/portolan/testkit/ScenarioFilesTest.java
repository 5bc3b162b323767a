package dev.portolan.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every scenario file; {@code workshop/scenarios.md} says how to play one, and how to add
 * one.
 */
class ScenarioFilesTest {
  private static final Path FOLDER = Path.of("src/test/resources/scenarios");
  private static final int AT_LEAST = 120;
  private static final String ONLY = System.getProperty("portolan.scenarios", "");

  @TestFactory
  Stream<DynamicTest> every_scenario_holds() {
    return files().stream()
        .filter(file -> name(file).contains(ONLY))
        .map(file -> DynamicTest.dynamicTest(name(file), file.toUri(), () -> play(file)));
  }

  @Test
  void all_scenarios_are_found() {
    assertThat(files()).hasSizeGreaterThanOrEqualTo(AT_LEAST);
  }

  @Test
  void nothing_else_lies_in_the_folder() throws IOException {
    try (Stream<Path> walk = Files.walk(FOLDER)) {
      assertThat(walk.filter(Files::isRegularFile))
          .allMatch(file -> file.toString().endsWith(".scenario"))
          .allMatch(file -> FOLDER.relativize(file).getNameCount() == 2);
    }
  }

  @Test
  void the_example_in_the_guide_holds() throws IOException {
    String guide = Files.readString(Path.of("../../workshop/scenarios.md"));
    String example = guide.split("(?m)^```\n", -1)[1];
    ScenarioRunner.run(Scenario.parse("workshop/scenarios.md", example)).orThrow();
  }

  private static void play(Path file) throws IOException {
    ScenarioReport report = ScenarioRunner.run(Scenario.parse(name(file), Files.readString(file)));
    if (Golden.UPDATE && !report.passed()) {
      Files.writeString(file, report.text());
    }
    report.orThrow();
  }

  private static List<Path> files() {
    try (Stream<Path> walk = Files.walk(FOLDER)) {
      return walk.filter(file -> file.toString().endsWith(".scenario")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path file) {
    return FOLDER.relativize(file).toString();
  }
}
