package dev.portolan.config.gates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.validation.ErrorChecks;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeatureGatesTest {
  private static final FeatureGates CURRENT = FeatureGates.defaults(KubeVersion.CURRENT);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.36 | true  | ok | ok | GA",
        "1.37 | true  | ok | ok | DEPRECATED",
        "1.39 | true  | ok | ok | DEPRECATED",
        "1.40 | false | ok | ok | DEPRECATED",
        "1.42 | false | ok | ok | DEPRECATED",
        "1.43 | false | cannot set feature gate KubeProxyIPVS to true, feature is locked to false |"
            + " ok | DEPRECATED",
        "1.45 | false | cannot set feature gate KubeProxyIPVS to true, feature is locked to false |"
            + " ok | DEPRECATED",
        "1.46 | false | unrecognized feature gate: KubeProxyIPVS | unrecognized feature gate:"
            + " KubeProxyIPVS | none",
      })
  void ipvsRetiresStageByStage(
      String version, boolean on, String turnedOn, String turnedOff, String stage) {
    FeatureGates gates = FeatureGates.defaults(KubeVersion.parse(version).orElseThrow());
    assertThat(gates.isOn("KubeProxyIPVS")).isEqualTo(on);
    assertThat(set(gates, "KubeProxyIPVS", true)).isEqualTo(turnedOn);
    assertThat(set(gates, "KubeProxyIPVS", false)).isEqualTo(turnedOff);
    GateStage found = gates.stages().get("KubeProxyIPVS");
    assertThat(found == null ? "none" : found.name().name()).isEqualTo(stage);
    boolean allowed = ProxyMode.allowed(Platform.LINUX, gates).contains(ProxyMode.IPVS);
    assertThat(allowed).isEqualTo(on);
    Settings ipvs = Settings.empty(ConfigVersion.V1ALPHA2).with("mode", "ipvs");
    List<Finding> errors = ErrorChecks.errors(ipvs, Platform.LINUX, gates);
    if (on) {
      assertThat(errors).isEmpty();
    } else {
      assertThat(errors)
          .singleElement()
          .asString()
          .startsWith(
              "mode: Invalid value: \"ipvs\": must be iptables, nftables, ebpf, userspace or blank"
                  + " (blank means the best-available proxy [currently nftables]); ipvs ");
    }
  }

  @Test
  void theDefaultModeMovesIn140() {
    assertThat(ProxyMode.byDefault(Platform.LINUX, new KubeVersion(1, 39)))
        .isEqualTo(ProxyMode.IPTABLES);
    assertThat(ProxyMode.byDefault(Platform.LINUX, new KubeVersion(1, 40)))
        .isEqualTo(ProxyMode.NFTABLES);
  }

  @Test
  void gatesHaveTheirStateOfToday() {
    assertThat(CURRENT.stages())
        .hasToString(
            "{AllowServiceExternalIPs=1.0 GA on, ComponentFlagz=1.36 BETA on,"
                + " ComponentStatusz=1.36 BETA on, ContextualLogging=1.30 BETA on,"
                + " KubeProxyIPVS=1.37 DEPRECATED on,"
                + " KubeProxyNFTablesLocalhostNodePorts=1.37 ALPHA off,"
                + " LoggingAlphaOptions=1.24 ALPHA off, LoggingBetaOptions=1.24 BETA on,"
                + " MultiCIDRServiceAllocator=1.34 GA on locked, NFTablesNetlink=1.37 BETA on,"
                + " NFTablesProxyMode=1.33 GA on locked,"
                + " NativeHistograms=1.37 BETA on,"
                + " PreferSameTrafficDistribution=1.35 GA on locked, WinDSR=1.34 GA on locked,"
                + " WinOverlay=1.34 GA on locked}");
  }

  @Test
  void pairsAreParsedAsTheFlagHasThem() {
    assertThat(FeatureGates.parse(" A=true, ,B = F,A=0")).hasToString("{A=false, B=false}");
    assertThatThrownBy(() -> FeatureGates.parse("A"))
        .hasMessage("malformed pair \"A\", expect string=bool");
    assertThatThrownBy(() -> FeatureGates.parse("A=yes"))
        .hasMessage("invalid value of A: yes; write true or false");
  }

  @Test
  void allAlphaTurnsOnWhatIsNotSet() {
    FeatureGates gates =
        CURRENT.with(Map.of("AllAlpha", true, "LoggingAlphaOptions", false, "AllBeta", false));
    assertThat(gates.isOn("KubeProxyNFTablesLocalhostNodePorts")).isTrue();
    assertThat(gates.isOn("LoggingAlphaOptions")).isFalse();
    assertThat(gates.isOn("NFTablesNetlink")).isFalse();
    assertThat(gates.isOn("WinDSR")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1.36, none, false", "1.37, ALPHA, false", "1.38, BETA, true", "1.40, BETA, true"})
  void nodePortsOnLocalhostAreOnByDefaultFrom138On(String version, String stage, boolean on) {
    FeatureGates gates = FeatureGates.defaults(KubeVersion.parse(version).orElseThrow());
    GateStage found = gates.stages().get("KubeProxyNFTablesLocalhostNodePorts");
    assertThat(found == null ? "none" : found.name().name()).isEqualTo(stage);
    assertThat(gates.isOn("KubeProxyNFTablesLocalhostNodePorts")).isEqualTo(on);
  }

  @Test
  void settingAGateThatGoesAwayWarns() {
    assertThat(CURRENT.with(Map.of("KubeProxyIPVS", true, "NFTablesNetlink", true, "WinDSR", true)))
        .extracting(FeatureGates::warnings)
        .isEqualTo(
            List.of(
                "setting deprecated feature gate KubeProxyIPVS=true. It will be removed in a future"
                    + " release.",
                "setting GA feature gate WinDSR=true. It will be removed in a future release."));
  }

  @Test
  void aFeatureOfALaterVersionCannotBeSet() {
    FeatureGates old = FeatureGates.defaults(new KubeVersion(1, 35));
    assertThat(set(old, "NativeHistograms", true))
        .isEqualTo(
            "cannot set feature gate NativeHistograms to true, feature is PreAlpha at emulated"
                + " version 1.35");
    assertThat(set(old, "NativeHistogram", true))
        .isEqualTo("unrecognized feature gate: NativeHistogram; did you mean NativeHistograms?");
  }

  @Test
  void theMetricHasEachGateOfTheVersion() {
    List<FeatureGates.Sample> samples =
        CURRENT.with(Map.of("AllAlpha", true, "KubeProxyIPVS", false)).samples();
    assertThat(samples)
        .extracting(sample -> sample.name() + " '" + sample.stage() + "' " + sample.value())
        .startsWith("AllAlpha 'ALPHA' 1", "AllBeta 'BETA' 0", "AllowServiceExternalIPs '' 1")
        .contains(
            "KubeProxyIPVS 'DEPRECATED' 0",
            "KubeProxyNFTablesLocalhostNodePorts 'ALPHA' 1",
            "NFTablesNetlink 'BETA' 1",
            "WinDSR '' 1")
        .hasSize(FeatureGate.all().size() + 2);
    assertThat(FeatureGates.defaults(new KubeVersion(1, 46)).samples())
        .extracting(FeatureGates.Sample::name)
        .doesNotContain("KubeProxyIPVS");
  }

  @Test
  void helpListsAlphaAndBeta() {
    assertThat(CURRENT.help())
        .contains("NFTablesNetlink=true|false (BETA - default=true)")
        .noneMatch(line -> line.startsWith("KubeProxyIPVS"));
  }

  private static String set(FeatureGates gates, String name, boolean on) {
    try {
      gates.with(Map.of(name, on));
      return "ok";
    } catch (ConfigException e) {
      return e.errors().getFirst().text();
    }
  }
}
