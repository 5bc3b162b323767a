package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Commands in the documentation have names, options and arguments that exist. */
final class DocumentedCommandsTest {
  /** In examples, at the beginning of a line or behind {@code kubectl exec … --}. */
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "(?m)^ {4,}(?:\\$ |kubectl .* exec .* -- )?(?:\\./)?portolan (?!kube-proxy)(.*)$");

  private static final Pattern ROW = Pattern.compile("(?m)^\\|.*$");

  /** In the cell of a table. */
  private static final Pattern QUOTED =
      Pattern.compile("`(?:\\./)?portolan (?!kube-proxy)([^`]*)`");

  /** Commands that ask no daemon, so they need a source on a node too. */
  private static final Set<String> NEED_SOURCE = Set.of("render", "whatif");

  /** Where the shell ends a command, or a comment begins. */
  private static final Pattern END = Pattern.compile(" +(?:[|&#;>]|2>|>>).*");

  @Test
  void everyCommandIsUnderstood() throws IOException {
    List<String> wrong = new ArrayList<>();
    int commands = 0;
    for (Path page : pages()) {
      String text = Files.readString(page);
      // Tables of other pages may name a command without what it needs.
      boolean names = !page.endsWith("cheat-sheet.md");
      for (String command : examples(text)) {
        commands++;
        mistake(command, false).ifPresent(what -> wrong.add(page + ": " + command + ": " + what));
      }
      for (String command : quoted(text)) {
        commands++;
        mistake(command, names).ifPresent(what -> wrong.add(page + ": " + command + ": " + what));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(commands).as("commands that were found").isGreaterThan(100);
  }

  @Test
  void oneThatDoesNotExistIsFound() {
    assertThat(mistake("show --from file:examples/shop --node 'worker-1'", false)).isEmpty();
    assertThat(mistake("config check config.conf", true)).isPresent();
    assertThat(mistake("nodes --all", true)).isPresent();
    assertThat(mistake("explain", false)).isPresent();
    assertThat(mistake("explain", true)).isEmpty();
    assertThat(mistake("render --node worker-1", false)).contains("--from is missing");
    assertThat(quoted("|a `portolan top`|`x` or `./portolan doctor -o json`|\n`portolan show`"))
        .containsExactly("top", "doctor -o json");
  }

  private static List<String> examples(String page) {
    return commands(EXAMPLE.matcher(page.replaceAll(" [\\\\]\n *", " ")).results());
  }

  private static List<String> quoted(String page) {
    return commands(
        ROW.matcher(page).results().flatMap(row -> QUOTED.matcher(row.group()).results()));
  }

  private static List<String> commands(Stream<MatchResult> found) {
    return found
        .map(command -> END.matcher(command.group(1)).replaceFirst("").strip())
        .filter(line -> !line.contains("…"))
        .toList();
  }

  /** What is wrong with a command; {@code isName} says whether what it needs may be left out. */
  private static Optional<String> mistake(String line, boolean isName) {
    try {
      ParseResult result =
          RootCommand.commandLine(
                  Terminal.plain(
                      new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter())))
              .parseArgs(words(line));
      return !isName
              && NEED_SOURCE.contains(line.split(" ", 2)[0])
              && !result.subcommand().hasMatchedOption("--from")
          ? Optional.of("--from is missing")
          : Optional.empty();
    } catch (MissingParameterException e) {
      return isName ? Optional.empty() : Optional.of(String.valueOf(e.getMessage()));
    } catch (ParameterException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static String[] words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+").matcher(line);
    while (word.find()) {
      words.add(word.group().replaceAll("['\"]", ""));
    }
    return words.toArray(String[]::new);
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(Path.of("docs"))) {
      return Stream.concat(
              docs.filter(page -> page.toString().endsWith(".md")),
              Stream.of(Path.of("README.md"), Path.of("deploy/README.md")))
          .sorted()
          .toList();
    }
  }
}
