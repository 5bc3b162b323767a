package dev.portolan.modes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.windows.WindowsMode;
import dev.portolan.backend.windows.WindowsOptions;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Ip;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a configuration of Windows means for its backend. */
final class WindowsModeTest {
  private static final WindowsOptions WANTED =
      new WindowsOptions(
          "pods",
          Optional.of(Ip.of("10.0.0.9")),
          true,
          true,
          true,
          "root",
          10999,
          WindowsOptions.defaultIds(),
          WindowsOptions.of("").subnetWait());

  @ParameterizedTest
  @ValueSource(strings = {"v1alpha1", "v1alpha2"})
  void theSectionIsTheSameInBothVersions(String version) {
    String text =
        """
        apiVersion: kubeproxy.config.k8s.io/%s
        kind: KubeProxyConfiguration
        mode: kernelspace
        healthzBindAddress: 0.0.0.0:10999
        winkernel:
          networkName: pods
          sourceVip: 10.0.0.9
          enableDSR: true
          rootHnsEndpointName: root
          forwardHealthCheckVip: true
        """
            .formatted(version);
    assertThat(options(text, "--config=file")).isEqualTo(WANTED);
  }

  @Test
  void theFlagsMeanTheSame() {
    assertThat(
            options(
                "",
                "--network-name=pods",
                "--source-vip=10.0.0.9",
                "--enable-dsr",
                "--root-hnsendpoint-name=root",
                "--forward-healthcheck-vip",
                "--healthz-bind-address=0.0.0.0:10999"))
        .isEqualTo(WANTED);
  }

  @Test
  void whatIsNotSaidIsAsInKubeProxy() {
    assertThat(options("", "--network-name=pods")).isEqualTo(WindowsOptions.of("pods"));
  }

  @Test
  void theGateOfOverlaysIsPassedOn() {
    assertThat(options("", "--emulated-version=1.33", "--feature-gates=WinOverlay=false").overlay())
        .isFalse();
  }

  private static WindowsOptions options(String file, String... flags) {
    StartPlan plan = (StartPlan) Start.of(List.of(flags), _ -> file, Platform.WINDOWS);
    assertThat(KernelModes.of(plan.configuration().mode()))
        .hasValueSatisfying(mode -> assertThat(mode.name()).isEqualTo("windows"));
    return WindowsMode.options(ModeConfiguration.of(plan));
  }
}
