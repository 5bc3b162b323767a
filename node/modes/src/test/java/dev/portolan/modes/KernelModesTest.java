package dev.portolan.modes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.mode.Mode;
import dev.portolan.mode.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which mode is meant by a name, and which there are on a system. */
final class KernelModesTest {
  @Test
  void aSystemHasItsOwnModesAndTheFirstIsTheDefault() {
    assertThat(KernelModes.names(Platform.LINUX))
        .containsExactly("nftables", "ebpf", "userspace", "iptables", "ipvs");
    assertThat(KernelModes.names(Platform.WINDOWS)).containsExactly("windows");
    assertThat(KernelModes.here().getFirst().name()).isEqualTo("nftables");
    assertThat(KernelModes.withTables()).containsExactly("nftables", "ebpf", "userspace");
  }

  @ParameterizedTest
  @CsvSource({"windows, windows", "kernelspace, windows", "ipvs, ipvs"})
  void aModeHasTheNameOfItsBackendAndThatOfConfigurations(String name, String backend) {
    assertThat(KernelModes.named(name).map(Mode::name)).contains(backend);
  }

  @Test
  void anotherNameIsNone() {
    assertThat(KernelModes.named("exec")).isEmpty();
    assertThat(KernelModes.named("")).isEmpty();
  }

  @Test
  void noTwoSettingsShareAName() {
    List<String> names =
        KernelModes.ALL.stream()
            .<Setting<?>>flatMap(mode -> mode.settings().stream())
            .distinct()
            .map(Setting::name)
            .toList();
    assertThat(names).doesNotHaveDuplicates().contains("access-log", "nftables-table");
  }

  @Test
  void everyModeOfAConfigurationHasItsRules() {
    FeatureGates all = FeatureGates.defaults(KubeVersion.CURRENT);
    for (Platform platform : Platform.values()) {
      assertThat(ProxyMode.allowed(platform, all))
          .isNotEmpty()
          .allSatisfy(mode -> {
            assertThat(KernelModes.of(mode).map(Mode::word)).contains(mode.toString());
            assertThat(KernelModes.of(mode).map(Mode::section)).contains(mode.section());
          });
    }
    assertThat(ProxyMode.parse("userspace").map(ProxyMode::isNftables)).contains(true);
  }
}
