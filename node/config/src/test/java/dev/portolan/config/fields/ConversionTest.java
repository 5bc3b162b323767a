package dev.portolan.config.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.config.Case;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.file.SettingsWriter;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConversionTest {
  static List<Case> cases() {
    return Case.load("conversion.txt");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void carriesBehaviourAndSaysWhatIsLost(Case given) {
    ConfigFile file = ConfigFile.read("f", given.text());
    Conversion.Result result = file.convert(file.version().other());
    List<String> lines = new ArrayList<>();
    result.warnings().forEach(warning -> lines.add("warning " + file.locate(warning)));
    lines.addAll(SettingsWriter.nonDefaults(result.settings()).lines().toList());
    assertThat(Case.lines(lines)).isEqualTo(Case.lines(given.messages()));
  }

  @Test
  void everythingIsWrittenWithItsDefaults() {
    Settings settings =
        Settings.empty(ConfigVersion.V1ALPHA2)
            .with("mode", "nftables")
            .with("nodePortAddresses", List.of("primary", "10.0.0.0/8"))
            .with("logging.vmodule", List.of(new VmoduleItem("a*", 3)));
    assertThat(SettingsWriter.everything(settings)).isEqualTo(Case.read("everything.yaml"));
  }

  @Test
  void thePlatformFillsInWhatIsEmpty() {
    ProxyConfiguration empty = ProxyConfiguration.of(Settings.empty(ConfigVersion.V1ALPHA2));
    FeatureGates later = FeatureGates.defaults(new KubeVersion(1, 40));
    FeatureGates now = FeatureGates.defaults(KubeVersion.CURRENT);
    ProxyConfiguration nftables = PlatformDefaults.apply(empty, Platform.LINUX, later);
    assertThat(nftables.mode()).isEqualTo(ProxyMode.NFTABLES);
    assertThat(nftables.nodePortAddresses()).containsExactly("primary");
    ProxyConfiguration iptables = PlatformDefaults.apply(empty, Platform.LINUX, now);
    assertThat(iptables.mode()).isEqualTo(ProxyMode.IPTABLES);
    assertThat(iptables.nodePortAddresses()).isEmpty();
    assertThat(iptables.detectLocalMode()).isEqualTo("ClusterCIDR");
    ProxyConfiguration windows = PlatformDefaults.apply(empty, Platform.WINDOWS, now);
    assertThat(windows.mode()).isEqualTo(ProxyMode.KERNELSPACE);
    assertThat(windows.winkernel().rootHnsEndpointName()).isEqualTo("cbr0");
  }

  @Test
  void explanationsNameBothVersions() {
    assertThat(FieldExplanation.explain("clusterCIDR"))
        .isEqualTo(
            """
            The ranges of the cluster's pods, for ClusterCIDR: one, or one per family.
              v1alpha1: clusterCIDR, text, default ""
              v1alpha2: detectLocal.clusterCIDRs, a list of strings, default []
            """);
    assertThat(FieldExplanation.explain("configHardFail"))
        .contains("v1alpha1: not in this version; behaves like false");
    assertThat(FieldExplanation.explain("detectLocal")).contains("  detectLocal.clusterCIDRs\n");
    assertThatThrownBy(() -> FieldExplanation.explain("nodePortAdresses"))
        .hasMessage("unknown field \"nodePortAdresses\"; did you mean nodePortAddresses?");
  }
}
