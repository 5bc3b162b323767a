package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recording files of manifests, and reading the recording where a source can be named. */
final class RecordTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void record() {
    file = folder.resolve("shop.rec");
    Result result = run("--for=200ms");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.lines()).hasSize(2);
    assertThat(result.lines().getFirst())
        .matches("\\S+  recording 9 services, 10 slices, 3 nodes from file:.* into .*");
    assertThat(result.lines().getLast()).matches("\\S+  done: 0 changes, .* kB in .*");
  }

  private Result run(String... more) {
    String[] words = {"record", "--from=file:" + Shell.SHOP, "-o", file.toString()};
    String[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return Shell.run(all);
  }

  private static Result read(String command, String from) {
    return Shell.run(command, "--from=" + from, "--node=worker-1");
  }

  @ParameterizedTest
  @CsvSource({"show,''", "render,''", "show,@1", "show,@-0s", "render,@-0s"})
  void everyCommandReadsItAsItsSource(String command, String point) {
    Result recorded = read(command, "record:" + file + point);
    assertThat(recorded.status()).as(recorded.err()).isZero();
    assertThat(recorded.out()).isEqualTo(read(command, "file:" + Shell.SHOP).out());
  }

  @Test
  void infoSaysWhatIsInIt() {
    Result info = Shell.run("record", "info", file.toString());
    assertThat(info.status()).as(info.err()).isZero();
    assertThat(info.out())
        .contains("recorded by   record ")
        .contains("at the end    9 services, 10 slices, 3 nodes")
        .contains("damage        none");
    assertThat(Shell.run("record", "info", file.toString(), "-o", "json").out())
        .contains("\"kind\": \"Recording\"", "\"changes\": 0", "\"services\": 9");
  }

  @Test
  void itIsNotOverwrittenButAppendedTo() {
    assertThat(run("--for=200ms").err())
        .contains("exists; use another name, or --append to go on with it [PORT-105]");
    assertThat(run("--for=200ms", "--append").status()).isZero();
    assertThat(Shell.run("record", "info", file.toString(), "-o", "json").out())
        .contains("\"recorder\": \"record\"")
        .containsPattern("(?s)\"recorder\".*\"recorder\"");
  }

  @Test
  void whatIsCutOffIsAWarningAndTheStatusOfInfo() throws IOException {
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length - 1));
    Result show = read("show", "record:" + file);
    assertThat(show.status()).isZero();
    assertThat(show.err()).contains("warning: " + file + ": cut off after entry 2 at ");
    Result info = Shell.run("record", "info", file.toString());
    assertThat(info.status()).isEqualTo(1);
    assertThat(info.out()).contains("damage        cut off after entry 2 at ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          show --from=record:FILE@noon --node=worker-1 | FILE: 'noon' is not a time; write a time such as 03:12
          show --from=record:FILE@9 --node=worker-1 | FILE: no revision 9: it has 1 to 1; it covers
          show --from=record:FILE@2026-01-01T00:00:00Z --node=worker-1 | is outside of the recording: it covers
          show --from=record:FILE.not --node=worker-1 | FILE.not does not exist [PORT-105]
          show --from=record: --node=worker-1 | --from: 'record:' has no path; write
          show --from=record:FILE --speed=fast -w --node=worker-1 | --speed: 'fast' is not a speed; write 1x, 10x, 0.5x or max
          show --from=file:. --speed=2x --node=worker-1 | --speed is for --from record:PATH; remove it for file:.
          record --from=file:. | -o is required; name the file to write
          record --from=file:. -o x --for=soon | --for: 'soon' is not a valid duration; write 30s, 10m or 1h30m
          record info FILE.not | FILE.not does not exist [PORT-105]
          record info FILE -o xml | -o: 'xml' is not allowed; write text, yaml or json
          brain --from=file:. --record=x --record-size=much | --record-size: 'much' is not a size such as 64Mi
          brain --from=file:. --record=x --record-size=1Ki | --record-size: must be at least 64Ki
          """)
  void aMistakeGetsASentence(String line, String sentence) {
    Result result = Shell.run(line.replace("FILE", file.toString()).split(" "));
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains(sentence.replace("FILE", file.toString()));
  }
}
