package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

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
        "version --help"
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
        "doctor",
        "bundle",
        "demo",
        "migrate",
        "brain",
        "nodes",
        "watch",
        "conformance"
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

  @Test
  void nothingAskedShowsTheHelp() {
    assertThat(Shell.run().out())
        .isEqualTo(Shell.run("--help").out())
        .contains("demo", "show", "explain", "render", "run", "cleanup", "config", "migrate")
        .contains("kube-proxy", "version", "brain", "nodes", "watch");
  }

  @Test
  void theVersionIsALine() {
    Result result = Shell.run("--version");
    assertThat(result.status()).isZero();
    assertThat(result.out()).startsWith("portolan ").hasLineCount(1);
  }

  @Test
  void aWrongNameSuggestsTheRightOne() {
    Result command = Shell.run("shwo");
    assertThat(command.status()).isEqualTo(2);
    assertThat(command.err()).startsWith("portolan: unknown command 'shwo'\nDid you mean show?\n");

    Result option = Shell.run("show", "--form", "file:x");
    assertThat(option.status()).isEqualTo(2);
    assertThat(option.err())
        .startsWith("portolan: Unknown option: '--form'\nDid you mean --from?\n");

    Result prefix = Shell.run("show", "--masq=true");
    assertThat(prefix.err()).contains("Did you mean --masquerade-all?");

    Result nothingNear = Shell.run("show", "--zebra-crossing");
    assertThat(nothingNear.err()).doesNotContain("Did you mean");

    Result extra = Shell.shop("worker-1", "show", "node", "extra");
    assertThat(extra.status()).isEqualTo(2);
    assertThat(extra.err()).startsWith("portolan: 'extra': unexpected argument\n");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThat(Shell.run("show").err()).startsWith("portolan: --from is required; write file:PATH");
    Result result = Shell.shop("worker-1", "explain");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).startsWith("portolan: Missing required parameter: 'TARGET'");
  }
}
