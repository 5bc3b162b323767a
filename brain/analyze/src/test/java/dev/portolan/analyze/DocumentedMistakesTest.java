package dev.portolan.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page about analyze has every code, and every code says what it should. */
final class DocumentedMistakesTest {
  private static final Path PAGE = Path.of("../../docs/analyze.md");

  @Test
  void thePageHasARowForEachCode() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| P0")).toList();
    assertThat(rows)
        .isEqualTo(Analysis.mistakes().stream().map(DocumentedMistakesTest::row).toList());
  }

  @Test
  void codesAreUniqueAndAllIsSaidAboutEach() {
    assertThat(Analysis.mistakes()).extracting(KnownMistake::code).doesNotHaveDuplicates();
    assertThat(Analysis.mistakes())
        .allSatisfy(mistake -> {
          assertThat(mistake.code()).matches("P0[1-69][0-9]{2}");
          assertThat(mistake.title()).isNotBlank().doesNotEndWith(".");
          assertThat(mistake.seen()).as(mistake.code()).isNotBlank().doesNotEndWith(".");
          assertThat(mistake.remedy()).as(mistake.code()).isNotBlank().doesNotEndWith(".");
          assertThat(mistake.text()).as(mistake.code()).endsWith(".").doesNotContain("  ");
        });
  }

  /** A mistake as the page has it. */
  private static String row(KnownMistake mistake) {
    String needs =
        switch (mistake.need()) {
          case NOTHING -> "";
          case WHOLE_SERVICES -> "Services";
          case PODS -> "Pods";
        };
    return "| "
        + String.join(
            " | ",
            mistake.code(),
            mistake.severity().toString(),
            needs,
            mistake.title(),
            mistake.seen().replace("<", "&lt;"),
            mistake.remedy())
        + " |";
  }
}
