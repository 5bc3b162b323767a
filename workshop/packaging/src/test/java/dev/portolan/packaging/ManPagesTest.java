package dev.portolan.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual pages say what the help says. */
@NeedsKernel(tools = "mandoc")
final class ManPagesTest {
  private static final Path REFERENCE = Path.of("..", "..", "docs", "reference");
  private static final String HELP =
      """
      A "proxy" that explains.
      Usage: portolan COMMAND
        -h, --help   Print this help and exit.
      Commands:
        demo   Show it.

      Examples:
        portolan demo

      Run 'portolan demo' to see it.
      """;

  @TempDir private static Path folder;

  @BeforeAll
  static void write() throws IOException {
    new ManPages(REFERENCE, HELP, HELP.replace("portolan ", "kubectl portolan "))
        .write("portolan 9.8.7-SNAPSHOT", LocalDate.of(2026, 1, 1), folder);
  }

  @Test
  void mandocFindsNothingWrong() throws IOException {
    try (Stream<Path> pages = Files.list(folder)) {
      for (Path page : pages.toList()) {
        assertThat(Subprocess.output("mandoc", "-T", "lint", "-W", "style", page.toString()))
            .isEmpty();
      }
    }
  }

  @Test
  void everyCommandAndOptionHasItsPlace() throws IOException {
    Pattern option = Pattern.compile("(?m)^ {2,6}(?:-\\w, )?(--[\\w-]+)");
    try (Stream<Path> references = Files.list(REFERENCE)) {
      for (Path reference : references.toList()) {
        String help = Files.readString(reference);
        if (help.contains("Usage: ")) {
          List<String> options =
              option.matcher(help).results().map((MatchResult match) -> match.group(1)).toList();
          String name = "portolan-" + reference.getFileName().toString().replace(".md", "");
          assertThat(text(name))
              .contains("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO")
              .contains(options);
        }
      }
    }
    assertThat(folder.resolve("portolan-watch.1")).doesNotExist();
    assertThat(text("portolan-config-validate"))
        .contains("portolan-config(1), portolan-config-convert(1)");
    assertThat(text("portolan-kube-proxy")).contains("--config text", "portolan-brain(1)");
  }

  @Test
  void theProgramItselfHasOne() {
    assertThat(text("portolan"))
        .containsSubsequence(
            "portolan - a \"proxy\" that explains",
            "SYNOPSIS",
            "portolan COMMAND",
            "DESCRIPTION",
            "Run 'portolan demo' to see it.",
            "OPTIONS",
            "-h, --help   Print this help",
            "COMMANDS",
            "demo   Show it.",
            "EXAMPLES",
            "portolan demo",
            "SEE ALSO",
            "portolan-analyze(1)");
    assertThat(text("kubectl-portolan")).contains("kubectl portolan COMMAND");
  }

  private static String text(String name) {
    return Subprocess.output("mandoc", "-T", "ascii", folder.resolve(name + ".1").toString())
        .replaceAll(".\b", "");
  }
}
