package dev.portolan.source.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadProgressTest {
  private final ReadProgress progress = new ReadProgress();

  @Test
  void saysHowMuchIsReadOfAllFiles() {
    assertThat(progress).hasToString("");
    progress.expect(43_000_000);
    progress.reached(9_600_000);
    assertThat(progress).hasToString("10 of 43 MB");
    progress.finish(20_000_000);
    assertThat(progress).hasToString("20 of 43 MB");
    progress.reached(99_000_000);
    assertThat(progress).hasToString("43 of 43 MB");
  }

  @Test
  void allIsReadAtTheEnd(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.yaml"), "# " + "x".repeat(3_000_000) + "\n");
    Files.writeString(folder.resolve("b.json"), "[" + "1,          ".repeat(250_000) + "1]");
    assertThat(Manifests.read(folder, progress).warnings()).isNotEmpty();
    assertThat(progress).hasToString("6 of 6 MB");
  }
}
