package dev.portolan.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Warning;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Clusters that were made to be odd are analyzed, and no warning of the brain is lost. */
final class AnalyzedScenariosTest {
  private static final Path SCENARIOS =
      RepositoryRoot.resolve("workshop/testkit/src/test/resources/scenarios");
  private static final Path PACKETS =
      RepositoryRoot.resolve("tools/conformance/src/main/resources/packets/cluster.yaml");

  @TestFactory
  Stream<DynamicTest> everyScenarioIsAnalyzed() throws IOException {
    try (Stream<Path> files = Files.walk(SCENARIOS)) {
      return files.filter(file -> file.toString().endsWith(".scenario")).sorted().toList().stream()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
    }
  }

  @Test
  void theClusterOfThePacketTablesIsAnalyzed() {
    ClusterImage image = Manifests.read(PACKETS).image();
    Brain brain = new Brain(warning -> {});
    brain.apply(image);
    assertThat(findings(brain)).isNotEmpty();
  }

  private static void play(Path file) {
    Scenario scenario = Scenario.parse(file.toString(), text(file));
    List<Warning> warnings = new ArrayList<>();
    Brain brain = new Brain(scenario.cluster(), warnings::add);
    for (Scenario.Step step : scenario.steps()) {
      if (step instanceof Scenario.Step.SetObjects set) {
        warnings.clear();
        brain.apply(ClusterDelta.between(ClusterImage.EMPTY, set.objects()));
        List<ClusterFinding> findings = findings(brain);
        assertThat(warnings)
            .filteredOn(warning -> !warning.text().endsWith("more like these"))
            .allMatch(warning ->
                findings.stream()
                    .anyMatch(one ->
                        one.object().equals(warning.object())
                            && one.field().equals(warning.field())));
      }
    }
  }

  private static List<ClusterFinding> findings(Brain brain) {
    return Analysis.of(new Survey(brain.decision(), Workloads.unknown(), PortRange.NODE_PORTS))
        .findings();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
