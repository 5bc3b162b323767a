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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** Commands in the documentation have names, options and arguments that exist. */
final class DocumentedCommandsTest {
  /** In examples, at the beginning of a line or behind {@code kubectl exec … --}. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?m)^ {4,}(?:\\$ |kubectl .* exec .* -- )?(?:\\./)?portolan (?!kube-proxy)(.*)$");

  /** Where the shell ends a command, or a comment begins. */
  private static final Pattern END = Pattern.compile(" +(?:[|&#;>]|2>|>>).*");

  @Test
  void everyCommandIsUnderstood() throws IOException {
    List<String> wrong = new ArrayList<>();
    int commands = 0;
    for (Path page : pages()) {
      Matcher command = COMMAND.matcher(Files.readString(page).replaceAll(" [\\\\]\n *", " "));
      while (command.find()) {
        String line = END.matcher(command.group(1)).replaceFirst("").strip();
        if (line.contains("…")) {
          continue;
        }
        commands++;
        mistake(line)
            .ifPresent(what -> wrong.add(page.getFileName() + ": portolan " + line + ": " + what));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(commands).as("commands that were found").isGreaterThan(50);
  }

  @Test
  void oneThatDoesNotExistIsFound() {
    assertThat(mistake("show --from file:examples/shop --node 'worker-1'")).isEmpty();
    assertThat(mistake("config check config.conf")).isPresent();
    assertThat(mistake("nodes --all")).isPresent();
  }

  private static Optional<String> mistake(String line) {
    try {
      RootCommand.commandLine(
              Terminal.plain(
                  new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter())))
          .parseArgs(words(line));
      return Optional.empty();
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
