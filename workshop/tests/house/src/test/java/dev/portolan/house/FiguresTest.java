package dev.portolan.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What README.md and the manifests say about memory and CPU time is what docs has measured. */
final class FiguresTest {
  private static final Path ROOT = Path.of("");

  /** The number in the first cell of a row that matches, rounded. */
  private static long figure(String row) throws IOException {
    Matcher matcher =
        Pattern.compile("(?m)^\\| " + row)
            .matcher(Files.readString(ROOT.resolve("docs/performance.md")));
    assertThat(matcher.find()).as(row).isTrue();
    return Math.round(Double.parseDouble(matcher.group(1)));
  }

  private static long start() throws IOException {
    return figure("resident memory, ten seconds after the start \\| ([\\d.]+) MB");
  }

  private static long later() throws IOException {
    return figure("resident memory after the ten minutes \\| ([\\d.]+) MB");
  }

  private static long most() throws IOException {
    return figure("resident memory after the ten minutes \\| [\\d.]+ MB; at most ([\\d.]+) MB");
  }

  @Test
  void theReadmeHasThoseOfPerformance() throws IOException {
    assertThat(Files.readString(ROOT.resolve("README.md")))
        .contains(
            "| resident memory, after the start | " + start() + " MB |",
            "| resident memory, after ten minutes of 50 changes per second | " + later() + " MB |");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"deploy/chart/portolan/values.yaml", "deploy/kustomize/base/daemonset.yaml"})
  void theManifestsHaveThem(String file) throws IOException {
    long millis =
        figure("CPU time of ten minutes of 50 changes per second \\| ([\\d.]+) s") * 1000 / 600;
    assertThat(Files.readString(ROOT.resolve(file)).replaceAll("\n *# ", " "))
        .contains(
            "10,000 services with 60,000 endpoints: %d MB after the start, %d MB after ten minutes of 50 changes per second, %d MB at most, and %d ms of CPU time per second."
                .formatted(start(), later(), most(), millis));
  }

  @ParameterizedTest
  @CsvSource({
    "docs/install.md, and %d descriptors",
    "docs/daemon.md, where the limit is below %d it says so",
    "docs/performance.md, where fewer than %d are allowed it says so"
  })
  void theDescriptorsAreThoseThatItAsksFor(String page, String sentence) throws IOException {
    Matcher needed =
        Pattern.compile("NEEDED = (\\d+);")
            .matcher(
                Files.readString(
                    ROOT.resolve("tools/cli/src/main/java/dev/portolan/cli/DescriptorLimit.java")));
    assertThat(needed.find()).isTrue();
    assertThat(Files.readString(ROOT.resolve(page)).replaceAll("\\s+", " "))
        .contains(sentence.formatted(Integer.valueOf(needed.group(1))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"deploy/chart/portolan/values.yaml", "deploy/kustomize/overlays/brain/brain.yaml"})
  void aBrainNeedsWhatWasMeasured(String file) throws IOException {
    Matcher most =
        Pattern.compile("brain's resident memory: alone, with all nodes, at most .*, (\\d+) MB")
            .matcher(Files.readString(ROOT.resolve("docs/brain.md")));
    assertThat(most.find()).isTrue();
    assertThat(Files.readString(ROOT.resolve(file)))
        .contains(
            "1,000 nodes, and 2,000 services with 12,000 endpoints: "
                + most.group(1)
                + " MB at most");
  }
}
