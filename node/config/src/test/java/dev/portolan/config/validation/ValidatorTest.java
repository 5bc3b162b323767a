package dev.portolan.config.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.config.Case;
import dev.portolan.config.NodeIps;
import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ValidatorTest {
  private static final FeatureGates GATES = FeatureGates.defaults(KubeVersion.CURRENT);

  static List<Case> cases() {
    return Case.load("validation.txt");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void findsAll(Case given) {
    ConfigFile file = ConfigFile.read("f", given.text());
    List<String> messages = new ArrayList<>();
    Validator.check(file.written(), Platform.LINUX, GATES)
        .forEach(finding -> messages.add(finding.severity() + " " + file.locate(finding)));
    assertThat(Case.lines(messages)).isEqualTo(Case.lines(given.messages()));
  }

  @Test
  void windowsKnowsItsOwnMode() {
    Settings settings = Settings.empty(ConfigVersion.V1ALPHA2).with("mode", "nftables");
    assertThat(ErrorChecks.errors(settings, Platform.WINDOWS, GATES))
        .extracting(Finding::text)
        .containsExactly(
            "Invalid value: \"nftables\": must be kernelspace or blank (blank means the"
                + " most-available proxy [currently 'kernelspace'])");
  }

  @ParameterizedTest
  @EnumSource(ConfigVersion.class)
  void windowsNeedsASourceVipThatIsOneAndTheGateOfDirectServerReturn(ConfigVersion version) {
    Settings settings =
        Settings.empty(version)
            .with("winkernel.sourceVip", "ten")
            .with("winkernel.enableDSR", true);
    assertThat(ErrorChecks.errors(settings, Platform.WINDOWS, GATES))
        .extracting(Finding::toString)
        .containsExactly("winkernel.sourceVip: Invalid value: \"ten\": must be an IP address");
    FeatureGates before = FeatureGates.defaults(new KubeVersion(1, 30));
    assertThat(
            ErrorChecks.errors(
                settings.with("winkernel.sourceVip", "10.0.0.9"), Platform.WINDOWS, before))
        .extracting(Finding::toString)
        .containsExactly(
            "winkernel.enableDSR: Invalid value: true: the feature gate WinDSR is off: turn it on,"
                + " or emulate a newer release");
    assertThat(ErrorChecks.errors(settings, Platform.LINUX, before)).isEmpty();
  }

  @Test
  void anEmptyLocalModeMeansClusterCidrOnLinuxOnly() {
    Settings settings = Settings.empty(ConfigVersion.V1ALPHA1).with("clusterCIDR", "x");
    assertThat(ErrorChecks.errors(settings, Platform.WINDOWS, GATES)).isEmpty();
    assertThat(ErrorChecks.errors(settings, Platform.LINUX, GATES)).hasSize(1);
  }

  @Test
  void familiesThatDoNotFitTheClusterAreQuestionable() {
    Settings settings =
        Settings.empty(ConfigVersion.V1ALPHA1)
            .with("mode", "nftables")
            .with("clusterCIDR", "fd00::/8")
            .with("nodePortAddresses", List.of("fd00::/8"))
            .with("metricsBindAddress", "[::1]:10249")
            .with("healthzBindAddress", "[::]:10256");
    ClusterShape shape = new ClusterShape(IpFamily.IPV4, false, List.of("fd00:1::/64"));
    assertThat(QuestionableChecks.check(settings, Platform.LINUX, GATES, shape))
        .extracting(finding -> finding.severity() + " " + finding)
        .containsExactly(
            "QUESTIONABLE nodePortAddresses: has only ranges of IPv6, but the cluster is IPv4-only:"
                + " node ports are open on every IPv4 address of this node; add a range of IPv4, or"
                + " write primary",
            "ERROR clusterCIDR: has only ranges of IPv6, but the cluster is IPv4-only; add one of"
                + " IPv4",
            "QUESTIONABLE detectLocalMode: this node's podCIDRs are all of family IPv6, but the"
                + " cluster is IPv4-only; fix the Node object, or use another detectLocalMode",
            "QUESTIONABLE metricsBindAddress: is of IPv6, but the cluster is IPv4-only; write one"
                + " of IPv4");
  }

  @Test
  void aDualStackClusterNeedsNodePortAddressesOfBoth() {
    Settings settings =
        Settings.empty(ConfigVersion.V1ALPHA2)
            .with("mode", "nftables")
            .with("detectLocal.clusterCIDRs", List.of("10.0.0.0/8", "fd00::/8"))
            .with("nodePortAddresses", List.of("10.0.0.0/8"));
    ClusterShape shape = new ClusterShape(IpFamily.IPV4, true, List.of());
    assertThat(QuestionableChecks.check(settings, Platform.LINUX, GATES, shape))
        .extracting(finding -> finding.severity() + " " + finding)
        .containsExactly(
            "ERROR nodePortAddresses: has only ranges of IPv4, but the cluster is dual-stack: node"
                + " ports are open on every IPv6 address of this node; add a range of IPv6, or"
                + " write primary (with 'configHardFail: false' this is a warning)");
  }

  @Test
  void anOverrideReplacesThePrimaryAddress() {
    List<Ip> node = List.of(Ip.of("10.0.0.1"), Ip.of("fd00::1"));
    assertThat(decide("", node, "fd00::9")).hasToString("IPv6 {IPv4=10.0.0.1, IPv6=fd00::9}");
    assertThat(decide("SingleStack", node, "fd00::9")).hasToString("IPv6 {IPv6=fd00::9}");
    assertThat(decide("RequireDualStack", node, "10.0.0.9", "fd00::9"))
        .hasToString("IPv4 {IPv4=10.0.0.9, IPv6=fd00::9}");
    assertThat(decide("", List.of())).hasToString("IPv4 {IPv4=127.0.0.1, IPv6=::1}");
    assertThat(decide("PreferDualStack", node.subList(0, 1))).hasToString("IPv4 {IPv4=10.0.0.1}");
    assertThatThrownBy(() -> decide("RequireDualStack", node.subList(0, 1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("this node has only an address of family IPv4");
  }

  private static String decide(String policy, List<Ip> node, String... override) {
    Settings settings =
        Settings.empty(ConfigVersion.V1ALPHA2)
            .with("ipFamilyPolicy", policy)
            .with("nodeIPOverride", List.of(override));
    NodeIps addresses = NodeIps.decide(ProxyConfiguration.of(settings), node);
    return addresses.primary() + " " + new TreeMap<>(addresses.byFamily());
  }
}
