package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What holds for the help of every command; single sentences are sessions. */
final class HelpTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "show --help",
        "explain --help",
        "render --help",
        "config --help",
        "config convert --help",
        "config validate --help",
        "config defaults --help",
        "config explain --help",
        "version --help",
        "help --help",
        "completion --help"
      })
  void everyHelpHasExamplesThatWork(String command) {
    Result help = Shell.run(command.split(" "));

    assertThat(help.status()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    List<String> examples =
        help.lines().stream().filter(line -> line.startsWith("  portolan ")).toList();
    assertThat(examples).isNotEmpty();
    for (String example : examples) {
      String[] args =
          example
              .strip()
              .substring("portolan ".length())
              .replace("examples/", Shell.EXAMPLES + "/")
              .split(" ");
      Result result = Shell.run(args);
      assertThat(result.status()).as(example).isZero();
      assertThat(result.err()).as(example).isEmpty();
      assertThat(result.out()).as(example).isNotEmpty();
    }
  }

  /** Not tried out here: what programs a kernel, needs a brain, or ends with 1 by its nature. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "cleanup",
        "analyze",
        "doctor",
        "bundle",
        "demo",
        "migrate",
        "brain",
        "nodes",
        "top",
        "wait",
        "watch",
        "conformance",
        "diff",
        "whatif"
      })
  void everyOtherHelpHasExamplesThatCanBeRead(String command) {
    Result help = Shell.run(command, "--help");

    assertThat(help.status()).isZero();
    assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    List<String> examples =
        help.out()
            .replaceAll(" [\\\\]\n *", " ")
            .lines()
            .filter(line -> line.startsWith("  portolan "))
            .toList();
    assertThat(examples).isNotEmpty();
    CommandLine parser =
        RootCommand.commandLine(
            Terminal.plain(
                new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter())));
    for (String example : examples) {
      String[] args = example.strip().substring("portolan ".length()).split(" ");
      assertThat(parser.parseArgs(args).errors()).as(example).isEmpty();
    }
  }

  /** A text with line breaks of its own is broken twice where the column is narrower. */
  @Test
  void linesAreBrokenByTheColumnAlone() {
    CommandLine root =
        RootCommand.commandLine(
            Terminal.plain(
                new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter())));
    root.getSubcommands()
        .values()
        .forEach(command ->
            command
                .getCommandSpec()
                .args()
                .forEach(arg ->
                    assertThat(arg.description())
                        .as(command.getCommandName() + " " + arg.paramLabel())
                        .hasSizeLessThanOrEqualTo(1)));
  }
}
