package dev.portolan.config.flags;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.Case;
import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Defaults;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.fields.VmoduleItem;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.ErrorChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FlagsTest {
  static List<List<String>> rows() {
    return Case.rows("flags.txt");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void areRead(List<String> row) {
    assertThat(outcome(row.get(0))).isEqualTo(row.get(1));
  }

  private static String outcome(String line) {
    try {
      List<String> arguments =
          Stream.of(line.split(" ", -1)).map(word -> word.replace("\\t", "\t")).toList();
      FlagValues flags = FlagValues.parse(arguments, Platform.LINUX);
      Settings settings = Defaults.apply(FlagSettings.alone(flags));
      Settings bare =
          Defaults.apply(FlagSettings.alone(FlagValues.parse(List.of(), Platform.WINDOWS)));
      List<String> said = new ArrayList<>(flags.warnings());
      FlagSettings.check(flags, Platform.LINUX).stream()
          .filter(finding -> finding.path().startsWith("--ipvs-"))
          .forEach(finding -> said.add(finding.toString()));
      settings
          .values()
          .forEach((path, value) -> {
            if (!bare.value(path).equals(value)) {
              said.add(path + "=" + value);
            }
          });
      return said.isEmpty() ? "nothing" : String.join("; ", said);
    } catch (ConfigException e) {
      return e.getMessage().replace("\n", "; ");
    }
  }

  @Test
  void aBareCommandLineBehavesAsAnEmptyV1alpha1() {
    ProxyConfiguration bare =
        ProxyConfiguration.of(FlagSettings.alone(FlagValues.parse(List.of(), Platform.WINDOWS)));
    assertThat(bare).isEqualTo(ProxyConfiguration.of(Settings.empty(ConfigVersion.V1ALPHA1)));
  }

  @Test
  void theDefaultOfAFlagIsThatOfItsField() {
    Settings bare =
        Defaults.apply(FlagSettings.alone(FlagValues.parse(List.of(), Platform.WINDOWS)));
    FlagValues none = FlagValues.parse(List.of(), Platform.WINDOWS);
    for (Flag flag : Flag.all().values()) {
      if (flag.path() != null && !flag.name().equals("root-hnsendpoint-name")) {
        assertThat(none.value(flag.name())).as(flag.name()).isEqualTo(bare.value(flag.path()));
      }
    }
  }

  @Test
  void besideAFileOnlyTheFlagsOfThisInstanceApply() {
    ConfigFile file =
        ConfigFile.read(
            "f",
            Case.file(ConfigVersion.V1ALPHA1, "mode", "iptables")
                + "logging: {vmodule: [{filePattern: z, verbosity: 1}], verbosity: 1}\n");
    FlagValues flags =
        FlagValues.parse(
            List.of(
                "--config=f",
                "--hostname-override= A ",
                "--proxy-mode=nftables",
                "--vmodule=a=2",
                "--bind-address=1.1.1.1",
                "--master=x",
                "-v",
                "3",
                "--node-ip-override=10.0.0.1"),
            Platform.LINUX);
    Settings settings = FlagSettings.over(file, flags);
    assertThat(settings.text("mode")).isEqualTo("iptables");
    assertThat(settings.text("hostnameOverride")).isEqualTo("a");
    assertThat(settings.number("logging.verbosity")).isEqualTo(3);
    assertThat(settings.texts("nodeIPOverride")).containsExactly("10.0.0.1");
    assertThat(settings.value("logging.vmodule"))
        .isEqualTo(List.of(new VmoduleItem("a", 2), new VmoduleItem("z", 1)));
    assertThat(flags.warnings())
        .containsExactly(
            "--proxy-mode is ignored because --config is set; set it in the file as mode",
            "--bind-address is ignored because --config is set; set it in the file");
  }

  @Test
  void findingsNameTheFlag() {
    FlagValues flags =
        FlagValues.parse(List.of("--proxy-mode=magic", "--nodeport-addresses=x"), Platform.LINUX);
    Settings settings = FlagSettings.alone(flags);
    FeatureGates gates = FeatureGates.defaults(flags.emulated());
    assertThat(ErrorChecks.errors(settings, Platform.LINUX, gates))
        .extracting(finding -> FlagSettings.named(flags, finding).path())
        .containsExactly("--proxy-mode", "--nodeport-addresses");
  }

  @Test
  void helpNamesEveryFlagButTheDeprecated() {
    String help = FlagHelp.text(FeatureGates.defaults(KubeVersion.CURRENT), Platform.LINUX);
    assertThat(help).isEqualTo(Case.read("help.txt"));
  }
}
