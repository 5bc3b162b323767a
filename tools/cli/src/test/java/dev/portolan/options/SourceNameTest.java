package dev.portolan.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.transport.Address;
import dev.portolan.terminal.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which source is meant; most sentences about others are sessions. */
final class SourceNameTest {
  @Test
  void theKindComesFirst() {
    assertThat(SourceName.parse("file:shop")).isEqualTo(new SourceName.Manifest(Path.of("shop")));
    assertThat(SourceName.parse("file:-")).isEqualTo(new SourceName.StandardInput());
    assertThat(SourceName.parse("kube")).isEqualTo(new SourceName.Kube(""));
    assertThat(SourceName.parse("kube:config")).isEqualTo(new SourceName.Kube("config"));
    assertThat(SourceName.parse("api:unix:///run/a.sock"))
        .isEqualTo(new SourceName.Brain(Address.parse("unix:///run/a.sock")));
  }

  @ParameterizedTest
  @CsvSource({"file:///etc/shop, /etc/shop", "file://shop, shop", "file:/etc/a:b, /etc/a:b"})
  void aUrlOfAFileIsAPath(String text, String path) {
    assertThat(SourceName.parse(text)).isEqualTo(new SourceName.Manifest(Path.of(path)));
  }

  @Test
  void aTildeIsTheHomeOfTheUserAtTheBeginningOnly() {
    String home = System.getProperty("user.home");
    assertThat(SourceName.parse("file:~")).isEqualTo(new SourceName.Manifest(Path.of(home)));
    assertThat(SourceName.parse("file:~/shop"))
        .isEqualTo(new SourceName.Manifest(Path.of(home, "shop")));
    assertThat(SourceName.parse("record:~/day.rec@72"))
        .isEqualTo(new SourceName.Recorded(Path.of(home, "day.rec"), "72"));
    assertThat(SourceName.parse("kube:~/config")).isEqualTo(new SourceName.Kube(home + "/config"));
    assertThat(SourceName.parse("file:~other/a/~"))
        .isEqualTo(new SourceName.Manifest(Path.of("~other/a/~")));
  }

  @Test
  void whatIsBehindTheLastAtSignIsAPointUnlessAFileHasIt(@TempDir Path folder) throws IOException {
    String plain = folder.resolve("day@home").toString();
    assertThat(SourceName.parse("record:" + plain + "@03:12"))
        .isEqualTo(new SourceName.Recorded(Path.of(plain), "03:12"));
    assertThat(SourceName.parse("record:" + plain))
        .isEqualTo(new SourceName.Recorded(folder.resolve("day"), "home"));
    Files.createFile(Path.of(plain));
    assertThat(SourceName.parse("record:" + plain))
        .isEqualTo(new SourceName.Recorded(Path.of(plain), ""));
  }

  @Test
  void aPathThatExistsIsProbablyMeantAsAFile(@TempDir Path folder) {
    assertThatThrownBy(() -> SourceName.parse(folder.toString()))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("--from: '%s' has no kind of source; did you mean file:%1$s?", folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          record:a@ | 'record:a@' has no time or revision behind the @
          record:@3 | 'record:@3' has no path
          C:/none   | 'C:/none' does not start with a kind of source
          """)
  void whatMeansNothingIsNamed(String text, String problem) {
    assertThatThrownBy(() -> SourceName.parse(text))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("--from: " + problem + "; " + SourceName.FORMS);
  }
}
