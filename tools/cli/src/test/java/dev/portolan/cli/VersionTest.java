package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import dev.portolan.options.OwnVersion;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What differs from build to build, and single gates of a long list; the rest are sessions. */
final class VersionTest {
  @Test
  void theTextIsALineForEach() {
    Result result = Shell.run("version");
    assertThat(result.status()).isZero();
    assertThat(result.lines())
        .containsExactly(
            "portolan    " + OwnVersion.text(),
            "java        " + Runtime.version(),
            "kubernetes  1.37");
  }

  @Test
  void theTreesHaveEveryGate() {
    Result yaml = Shell.run("version", "-o", "yaml");
    assertThat(yaml.tree()).isEqualTo(Shell.run("version", "-o", "json").tree());
    assertThat(yaml.tree()).containsEntry("kubernetes", "1.37");
    assertThat(gates(yaml))
        .contains(
            Map.of(
                "name", "KubeProxyIPVS",
                "stage", "DEPRECATED",
                "since", "1.37",
                "default", true,
                "locked", false));
  }

  @Test
  void theEmulatedReleaseChoosesTheStage() {
    assertThat(gates(Shell.run("version", "-o", "yaml", "--emulated-version=1.43")))
        .contains(
            Map.of(
                "name", "KubeProxyIPVS",
                "stage", "DEPRECATED",
                "since", "1.43",
                "default", false,
                "locked", true));
    assertThat(Shell.run("version", "-o", "yaml", "--emulated-version=1.46").out())
        .doesNotContain("KubeProxyIPVS");
  }

  private static List<Map<String, Object>> gates(Result result) {
    return Shell.list(result.tree().get("featureGates"));
  }
}
