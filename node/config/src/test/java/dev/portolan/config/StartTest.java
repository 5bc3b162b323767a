package dev.portolan.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.file.ConfigText;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.ClusterShape;
import dev.portolan.core.net.IpFamily;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StartTest {
  static List<Case> cases() {
    return Case.load("start.txt");
  }

  /** The first line is the command line, {@code f} is the name of the file below it. */
  @ParameterizedTest
  @MethodSource("cases")
  void isWorkedOut(Case given) {
    String[] parts = given.text().split("\n", 2);
    assertThat(outcome(parts[0], parts[1])).isEqualTo(Case.lines(given.messages()));
  }

  private static String outcome(String line, String file) {
    try {
      return describe(start(file, line.split(" ", -1)));
    } catch (ConfigException e) {
      return e.errors().stream()
          .map(error -> error.severity() + " " + error)
          .collect(Collectors.joining("\n"));
    }
  }

  private static String describe(Start start) {
    return switch (start) {
      case Start.ShowHelp help -> "help: " + help.text().lines().findFirst().orElseThrow();
      case Start.ShowVersion version -> version.toString();
      case StartPlan plan ->
          Stream.concat(
                  Stream.of("mode " + plan.configuration().mode() + instance(plan)),
                  plan.warnings().stream().map(warning -> warning.severity() + " " + warning))
              .collect(Collectors.joining("\n"));
    };
  }

  private static String instance(StartPlan plan) {
    return (plan.cleanup() ? ", cleanup" : "")
        + (plan.initOnly() ? ", init only" : "")
        + (plan.exitOnConfigChange() ? ", exit on change" : "")
        + plan.master().map(master -> ", master " + master).orElse("")
        + plan.writeConfigTo().map(path -> ", write to " + path).orElse("")
        + plan.reportedVersion().map(version -> ", reports " + version).orElse("")
        + plan.notices().stream()
            .map(notice -> ", event " + notice.reason())
            .collect(Collectors.joining());
  }

  private static Start start(String file, String... arguments) {
    return Start.of(
        List.of(arguments),
        name -> {
          assertThat(name).isEqualTo("f");
          return file;
        },
        Platform.LINUX);
  }

  @Test
  void aConfigMapThatIsMountedOtherwiseIsDescribed(@TempDir Path folder) throws Exception {
    Files.createDirectory(folder.resolve("..data"));
    Path file = folder.resolve("config.yaml");
    assertThatThrownBy(() -> ConfigText.read(file.toString()))
        .hasMessageContaining(
            file
                + ": no such file; its folder is mounted and empty; each key of a ConfigMap is a"
                + " file");
    Files.writeString(folder.resolve("config.conf"), "");
    assertThatThrownBy(() -> ConfigText.read(file.toString()))
        .hasMessageContaining("its folder is mounted and has config.conf; each key");
    assertThatThrownBy(() -> ConfigText.read(folder.toString()))
        .hasMessageContaining(folder + ": is a folder and has config.conf; name a file in it");
  }

  @Test
  void whatIsInEffectIsWrittenInTheLatestVersion() {
    StartPlan plan =
        (StartPlan)
            start(
                "",
                "--proxy-mode=nftables",
                "--cluster-cidr=10.244.0.0/16",
                "--masquerade-all",
                "--conntrack-tcp-timeout-established=2h",
                "--feature-gates=NFTablesNetlink=false",
                "--write-config-to=x");
    assertThat(plan.asFile()).isEqualTo(Case.read("written.yaml"));
    StartPlan again = (StartPlan) start(plan.asFile(), "--config=f");
    assertThat(again.configuration()).isEqualTo(plan.configuration());
    assertThat(again.warnings()).isEmpty();
  }

  @Test
  void whatNeedsAClusterIsCheckedInOne() {
    StartPlan plan =
        (StartPlan)
            start(
                Case.file(ConfigVersion.V1ALPHA2, "mode", "nftables")
                    + "detectLocal: {clusterCIDRs: ['fd00::/8']}\n",
                "--config=f");
    assertThat(plan.questionableIn(new ClusterShape(IpFamily.IPV6, false, List.of()))).isEmpty();
    assertThat(plan.questionableIn(new ClusterShape(IpFamily.IPV4, false, List.of())))
        .singleElement()
        .hasToString(
            "detectLocal.clusterCIDRs: has only ranges of IPv6, but the cluster is IPv4-only; add"
                + " one of IPv4");
  }

  @Test
  void aFileThatCannotBeReadIsAnError() {
    List<String> arguments = List.of("--config=/no/such/file");
    assertThatThrownBy(() -> Start.of(arguments, ConfigText::read, Platform.LINUX))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "/no/such/file: no such file; its folder does not exist: if it is to be a ConfigMap,"
                + " mount it there");
  }
}
