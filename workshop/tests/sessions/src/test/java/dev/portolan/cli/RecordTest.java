package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A recording as the source of every command, whole and cut off; the rest are sessions. */
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
}
