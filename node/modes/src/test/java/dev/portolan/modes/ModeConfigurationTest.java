package dev.portolan.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.ebpf.EbpfMode;
import dev.portolan.backend.iptables.IptablesMode;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.nftables.NftablesMode;
import dev.portolan.backend.userspace.UserspaceMode;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.mode.ModeSettings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rules are written with: what flags and files say of it, and what replaces that. */
final class ModeConfigurationTest {
  private static StartPlan plan(String... flags) {
    return (StartPlan)
        Start.of(
            Stream.concat(
                    Stream.of("--cluster-cidr=10.0.0.0/8", "--emulated-version=1.38"),
                    Stream.of(flags))
                .toList(),
            file -> "",
            Platform.LINUX);
  }

  @Test
  void theFlagsOfTheDaemonAreTaken() {
    ModeSettings settings =
        ModeConfiguration.of(
            plan(
                "--proxy-mode=ebpf",
                "--nftables-table=mine",
                "--ebpf-cgroup=/sys/fs/cgroup/pods",
                "--ebpf-pins=/sys/fs/bpf/mine",
                "--traffic-counters"));
    assertThat(settings.fields().text("mode")).isEqualTo("ebpf");
    assertThat(settings.of(NftablesMode.TABLE)).isEqualTo("mine");
    assertThat(settings.of(EbpfMode.CGROUP)).isEqualTo(Path.of("/sys/fs/cgroup/pods"));
    assertThat(settings.of(EbpfMode.PINS)).isEqualTo(Path.of("/sys/fs/bpf/mine"));
    assertThat(settings.of(NftablesMode.COUNTING)).isTrue();
    assertThat(settings.of(UserspaceMode.ACCESS_LOG)).isFalse();
    assertThat(settings.namespace()).isEmpty();
    assertThat(settings.force()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nftables-table=a b | is not a valid table name: a letter, then letters, digits, '-' and"
            + " '_', at most 63 characters",
        "--ebpf-pins=here | must be a path that starts with /",
        "--access-log=often | expected true or false"
      })
  void aBadValueOfASettingIsRefusedAtTheStart(String flag, String rule) {
    assertThatThrownBy(() -> plan(flag))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("flag: " + rule);
  }

  /** Which families reject TCP; all other protocols are rejected, as only TCP can be served. */
  @ParameterizedTest
  @CsvSource({
    "nftables, 127.0.0.0/8, IPV6",
    "ebpf, '::1/128', IPV4",
    "nftables, localhost, ''",
    "nftables, primary, IPV4 IPV6",
    "nftables, 0.0.0.0/0, IPV4 IPV6"
  })
  void onLocalhostWhatNobodyServesIsRejected(String mode, String addresses, String families) {
    StartPlan plan = plan("--proxy-mode=" + mode, "--nodeport-addresses=" + addresses);
    ModeSettings settings = ModeConfiguration.of(plan);
    for (IpFamily family : IpFamily.values()) {
      Set<Protocol> expected = EnumSet.allOf(Protocol.class);
      if (!families.contains(family.name())) {
        expected.remove(Protocol.TCP);
      }
      assertThat(settings.rejectedOnLocalhost()).containsEntry(family, expected);
    }
    assertThat(ModeConfiguration.withoutDaemon(plan).rejectedOnLocalhost())
        .as("nobody serves TCP there without a daemon, and so nothing is rejected")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"nftables, false", "iptables, true"})
  void onLocalhostNothingIsRejectedWithoutTheGateOrInAnotherMode(String mode, boolean gate) {
    StartPlan plan =
        plan(
            "--proxy-mode=" + mode,
            "--feature-gates=KubeProxyNFTablesLocalhostNodePorts=" + gate,
            "--nodeport-addresses=127.0.0.0/8");
    assertThat(ModeConfiguration.of(plan).rejectedOnLocalhost()).isEmpty();
    assertThat(ModeConfiguration.localhost(plan)).isEmpty();
  }

  @Test
  void aValueThatIsReplacedLeavesTheOthersAsTheyAre() {
    ModeSettings before =
        ModeConfiguration.of(plan("--proxy-mode=iptables", "--nftables-table=mine"));
    ModeSettings after =
        before
            .with(Map.of("iptables.masqueradeBit", 3))
            .with(IptablesMode.VARIANT, Variant.LEGACY)
            .in(Optional.of(Path.of("/run/netns/other")))
            .forced(true)
            .with(NftablesMode.COUNTING, true);
    assertThat(after.fields().number("iptables.masqueradeBit")).isEqualTo(3);
    assertThat(after.fields().text("mode")).isEqualTo("iptables");
    assertThat(after.of(NftablesMode.TABLE)).isEqualTo("mine");
    assertThat(after.of(IptablesMode.VARIANT)).isEqualTo(Variant.LEGACY);
    assertThat(after.namespace()).contains(Path.of("/run/netns/other"));
    assertThat(after.force()).isTrue();
    assertThat(after.of(NftablesMode.COUNTING)).isTrue();
    assertThat(before.of(NftablesMode.COUNTING)).isFalse();
    assertThat(before.with(NftablesMode.TABLE, "x").of(NftablesMode.TABLE)).isEqualTo("x");
    assertThat(before.of(NftablesMode.TABLE)).isEqualTo("mine");
  }
}
