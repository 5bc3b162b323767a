package dev.portolan.modes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rules are written with: what flags and files say of it, and what replaces that. */
final class ModeSettingsTest {
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
        ModeSettings.of(
            plan(
                "--proxy-mode=ebpf",
                "--nftables-table=mine",
                "--ebpf-cgroup=/sys/fs/cgroup/pods",
                "--ebpf-pins=/sys/fs/bpf/mine",
                "--traffic-counters"));
    assertThat(settings.configuration().mode()).isEqualTo(ProxyMode.EBPF);
    assertThat(settings.table()).isEqualTo("mine");
    assertThat(settings.sockets())
        .isEqualTo(
            new ModeSettings.Sockets(
                Optional.of(Path.of("/sys/fs/cgroup/pods")), Path.of("/sys/fs/bpf/mine")));
    assertThat(settings.counting()).isTrue();
    assertThat(settings.namespace()).isEmpty();
    assertThat(settings.force()).isFalse();
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
    ModeSettings settings = ModeSettings.of(plan);
    for (IpFamily family : IpFamily.values()) {
      Set<Protocol> expected = EnumSet.allOf(Protocol.class);
      if (!families.contains(family.name())) {
        expected.remove(Protocol.TCP);
      }
      assertThat(settings.rejectedOnLocalhost()).containsEntry(family, expected);
    }
    assertThat(ModeSettings.withoutDaemon(plan).rejectedOnLocalhost())
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
    assertThat(ModeSettings.of(plan).rejectedOnLocalhost()).isEmpty();
    assertThat(ModeSettings.localhost(plan)).isEmpty();
  }

  @Test
  void aValueThatIsReplacedLeavesTheOthersAsTheyAre() {
    ModeSettings before = ModeSettings.of(plan("--proxy-mode=iptables", "--nftables-table=mine"));
    ModeSettings after =
        before
            .with(Map.of("iptables.masqueradeBit", 3))
            .with(Variant.LEGACY)
            .in(Optional.of(Path.of("/run/netns/other")))
            .forced(true)
            .counting(true);
    assertThat(after.configuration().settings().number("iptables.masqueradeBit")).isEqualTo(3);
    assertThat(after.configuration().mode()).isEqualTo(ProxyMode.IPTABLES);
    assertThat(after.table()).isEqualTo("mine");
    assertThat(after.variant()).isEqualTo(Variant.LEGACY);
    assertThat(after.namespace()).contains(Path.of("/run/netns/other"));
    assertThat(after.force()).isTrue();
    assertThat(after.counting()).isTrue();
    assertThat(before.counting()).isFalse();
    assertThat(before.with(Map.of())).isSameAs(before);
    assertThat(List.of(before.withTable("x").table(), before.table())).containsExactly("x", "mine");
  }
}
