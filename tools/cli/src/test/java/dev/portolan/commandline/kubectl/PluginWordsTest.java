package dev.portolan.commandline.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which words of {@code kubectl portolan} are kubectl's, and where they stand. */
final class PluginWordsTest {
  private static List<String> words(String line) {
    return Arrays.stream(line.split(" ")).filter(word -> !word.isEmpty()).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "-n shop explain web, explain -n shop web",
    "--context=a --node n explain web, explain --context=a --node n web",
    "--watch show svc, show --watch svc",
    "explain -n shop web, explain -n shop web",
    "-n shop, -n shop",
    "-n, -n"
  })
  void optionsBeforeTheCommandAreMovedBehindIt(String line, String expected) {
    assertThat(PluginWords.commandFirst(words(line))).isEqualTo(words(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "show --context a svc, --context a, show svc",
    "show --context=a svc --as b, --context=a --as b, show svc",
    "show --node n svc, '', show svc",
    "show --hostname-override=n svc --as-group, --as-group, show svc",
    "show -n shop svc, '', show -n shop svc"
  })
  void whatChoosesTheClusterIsForKubectlAndTheRestForTheNode(
      String line, String connection, String rest) {
    assertThat(PluginWords.connection(words(line))).isEqualTo(words(connection));
    assertThat(PluginWords.withoutConnection(words(line))).isEqualTo(words(rest));
  }
}
