package dev.portolan.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpellingTest {
  @ParameterizedTest
  @CsvSource({"show, show, 0", "SHOW, show, 0", "shwo, show, 1", "sho, show, 1", "shop, show, 1"})
  void aSlipCountsOne(String word, String name, int distance) {
    assertThat(Spelling.distance(word, name)).isEqualTo(distance);
  }

  @Test
  void theNearestNameIsMeant() {
    assertThat(Spelling.nearest("iptabels", List.of("ipvs", "iptables", "nftables")))
        .contains("iptables");
    assertThat(Spelling.nearest("something", List.of("ipvs", "iptables"))).isEmpty();
  }

  @Test
  void aBeginningIsNearToo() {
    assertThat(Spelling.near("kube", List.of("kube-proxy", "run"))).containsExactly("kube-proxy");
  }
}
