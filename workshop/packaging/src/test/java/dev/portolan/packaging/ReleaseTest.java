package dev.portolan.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What {@code ./dev release} says before it builds anything; the whole of it takes too long here.
 */
final class ReleaseTest {
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  @Test
  void aVersionIsNeeded() throws Exception {
    for (String wrong : List.of("", "v0.2.0", "0.2", "0.2.0-SNAPSHOT", "0.02.0")) {
      assertThat(refused(ROOT.resolve("dev").toString(), "release", wrong))
          .isEqualTo(
              "dev: release needs a version such as 0.2.0 or 0.3.0-rc.1, not '" + wrong + "'.");
    }
  }

  @Test
  void aVersionWithoutChangesIsNotReleased() throws Exception {
    assertThat(refused(ROOT.resolve("dev").toString(), "release", "9.9.9"))
        .startsWith("dev: CHANGELOG.md has no section '## 9.9.9':");
  }

  @Test
  void theNotesAreASectionOfTheChangelog() throws Exception {
    String script =
        "self=dev; . %1$s/workshop/build/lib.sh; . %1$s/workshop/build/release.sh; release_notes \"$1\""
            .formatted(ROOT);
    String changelog = Files.readString(ROOT.resolve("CHANGELOG.md"));
    List<String> versions =
        changelog
            .lines()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3))
            .toList();
    assertThat(versions).isNotEmpty();

    String notes = Subprocess.output("bash", "-euc", script, "bash", versions.getFirst());

    assertThat(notes).startsWith("# Portolan " + versions.getFirst() + "\n\n### ");
    assertThat(changelog).contains(notes.substring(notes.indexOf("###")));
    versions.stream().skip(1).forEach(older -> assertThat(notes).doesNotContain("## " + older));
  }

  /** What a program that must fail says. */
  private static String refused(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(new ArrayList<>(List.of(words))).start();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isNotZero();
    return said.strip();
  }
}
