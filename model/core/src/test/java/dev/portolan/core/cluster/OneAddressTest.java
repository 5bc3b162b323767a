package dev.portolan.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.net.Ip;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OneAddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.1", "fd00::1", "010.0.0.1", "FD00::1", "::ffff:10.0.0.1", "None", ""})
  void aListOfOneTextReadsAsItWasWritten(String text) {
    List<String> kept = OneAddress.copyOf(List.of(text));
    assertThat(kept).containsExactly(text).hasToString("[" + text + "]");
    assertThat(kept).isEqualTo(List.of(text)).hasSameHashCodeAs(List.of(text));
    assertThat(List.of(text)).isEqualTo(kept);
    assertThat(OneAddress.copyOf(kept)).isSameAs(kept);
    assertThat(OneAddress.at(0, kept)).isEqualTo(Ip.parse(text).orElse(null));
    assertThat(OneAddress.at(1, kept)).isNull();
  }

  @Test
  void twoSpellingsOfOneAddressDiffer() {
    assertThat(OneAddress.copyOf(List.of("10.0.0.1")))
        .isEqualTo(OneAddress.copyOf(List.of("10.0.0.1")))
        .isNotEqualTo(OneAddress.copyOf(List.of("10.0.0.2")))
        .isNotEqualTo(OneAddress.copyOf(List.of("010.0.0.1")))
        .isNotEqualTo(OneAddress.copyOf(List.of("10.0.0.1", "10.0.0.2")));
  }

  @Test
  void severalAreKeptAsTheyAre() {
    List<String> texts = List.of("10.0.0.1", "no address");
    assertThat(OneAddress.copyOf(texts)).isSameAs(texts);
    assertThat(OneAddress.at(0, texts)).isEqualTo(Ip.of("10.0.0.1"));
    assertThat(OneAddress.at(1, texts)).isNull();
  }

  @Test
  void cannotBeChanged() {
    List<String> kept = OneAddress.copyOf(List.of("10.0.0.1"));
    assertThatThrownBy(() -> kept.set(0, "10.0.0.2"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> kept.add("10.0.0.2"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
