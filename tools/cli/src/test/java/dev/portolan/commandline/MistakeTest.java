package dev.portolan.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** What was probably meant, and the words for what picocli finds. */
final class MistakeTest {
  @Command(
      name = "look",
      footer = {"", "Examples:", "  portolan look here", "  portolan look there"})
  private static final class Look {
    @Option(
        names = {"-n", "--namespace"},
        paramLabel = "NAMESPACE")
    private String namespace = "";

    @Option(names = "--masquerade-all", arity = "0..1", fallbackValue = "true")
    private boolean all;

    @Option(names = "--namesake", hidden = true)
    private String hidden = "";

    @Parameters(paramLabel = "TARGET")
    private String target = "";

    @Override
    public String toString() {
      return namespace + all + hidden + target;
    }
  }

  private static Mistake mistake(String line) {
    List<String> words = List.of(line.split(" "));
    return Mistake.of(
        catchThrowableOfType(
            ParameterException.class,
            () -> new CommandLine(new Look()).parseArgs(words.toArray(String[]::new))),
        words);
  }

  @ParameterizedTest
  @CsvSource({
    "--namespce, --namespace",
    "--namespce=x, --namespace",
    "--masq, --masquerade-all",
    "--name, --namespace",
    "-N, -n",
    "-x, ''",
    "--zebra, ''"
  })
  void theNearestNamesOfOptionsThatAreShown(String option, String near) {
    Mistake mistake = mistake("here " + option);
    assertThat(mistake.sentence()).isEqualTo("unknown option '%s'", option.replaceFirst("=.*", ""));
    assertThat(String.join(" ", mistake.near())).isEqualTo(near);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          here -n                         | -n needs a value: NAMESPACE
          here --namespace                | --namespace needs a value: NAMESPACE
          here -n a --namespace=b         | --namespace was given more than once; give it once
          here -n a -n b                  | -n was given more than once; give it once
          here --masquerade-all=perhaps   | --masquerade-all: 'perhaps' is not allowed; write true or false
          here there                      | 'there': unexpected argument; remove it
          -n a                            | TARGET is required, as in 'portolan look here'
          """)
  void optionsAreNamedAsTheyWereTyped(String line, String sentence) {
    assertThat(mistake(line)).isEqualTo(new Mistake(sentence, List.of()));
  }

  @Test
  void commandsAreSuggestedToo() {
    CommandLine root = new CommandLine(new Root()).addSubcommand(new Look());
    Mistake mistake =
        Mistake.of(
            catchThrowableOfType(ParameterException.class, () -> root.parseArgs("lok")),
            List.of("lok"));
    assertThat(mistake).isEqualTo(new Mistake("unknown command 'lok'", List.of("look")));
  }

  @Command(name = "portolan")
  private static final class Root {}
}
