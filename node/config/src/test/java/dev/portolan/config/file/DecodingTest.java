package dev.portolan.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.Case;
import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.core.text.GoDuration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DecodingTest {
  static List<Case> cases() {
    return Case.load("decoding.txt");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void saysWhatIsWrongAndWhere(Case given) {
    List<String> messages = new ArrayList<>();
    try {
      for (Finding warning : ConfigFile.read("f", given.text()).warnings()) {
        messages.add("warning " + warning);
      }
    } catch (ConfigException e) {
      messages.addAll(e.getMessage().lines().toList());
    }
    assertThat(Case.lines(messages)).isEqualTo(Case.lines(given.messages()));
  }

  @Test
  void theLastOfTwoCounts() {
    String text = Case.file(ConfigVersion.V1ALPHA1, "mode", "iptables") + "mode: nftables\n";
    assertThat(ConfigFile.read("f", text).configuration().mode()).isEqualTo(ProxyMode.NFTABLES);
  }

  @Test
  void jsonIsRead() {
    ConfigFile file =
        ConfigFile.read(
            "f",
            "{\"apiVersion\": \"kubeproxy.config.k8s.io/v1alpha2\","
                + " \"kind\": \"KubeProxyConfiguration\", \"linux\": {\"oomScoreAdj\": 5}}");
    assertThat(file.configuration().linux().oomScoreAdj()).isEqualTo(5);
  }

  @Test
  void flushFrequencyMayBeNanoseconds() {
    String text = Case.file(ConfigVersion.V1ALPHA1, "logging.flushFrequency", "5000000");
    assertThat(ConfigFile.read("f", text).configuration().logging().flushFrequency()).hasMillis(5);
  }

  @Test
  void theLastOfTwoSectionsCountsAsAWhole() {
    String text =
        Case.file(ConfigVersion.V1ALPHA1, "iptables", "{masqueradeBit: 3}")
            + "iptables: {masqueradeAll: true}\n";
    assertThat(ConfigFile.read("f", text).written().values())
        .containsOnlyKeys("iptables.masqueradeAll");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1m30s, 1m30s",
    "90s, 1m30s",
    "1.5h, 1h30m0s",
    "-1.5s, -1.5s",
    "100ms, 100ms",
    "1500us, 1.5ms",
    "2µs, 2µs",
    "7ns, 7ns",
    ".5s, 500ms",
    "24h, 24h0m0s",
    "2562047h47m16.854775807s, 2562047h47m16.854775807s",
    "2562048h, none",
    "30, none",
    "s, none",
    "1m 30s, none",
    "1d, none",
  })
  void durationsAreThoseOfGo(String text, String written) {
    assertThat(GoDuration.parse(text).map(GoDuration::format).orElse("none")).isEqualTo(written);
  }
}
