package dev.portolan.modes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.gates.Platform;
import dev.portolan.mode.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

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
    assertThat(KernelModes.named(name).map(KernelMode::name)).contains(backend);
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

  @ParameterizedTest
  @EnumSource(value = ProxyMode.class, mode = Mode.EXCLUDE, names = "UNSET")
  void everyModeOfAConfigurationHasItsRules(ProxyMode mode) {
    assertThat(KernelModes.of(mode).map(KernelMode::mode)).contains(mode);
    assertThat(KernelModes.words()).contains(mode.toString());
  }
}
