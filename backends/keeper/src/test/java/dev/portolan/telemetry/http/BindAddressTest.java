package dev.portolan.telemetry.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BindAddressTest {
  @ParameterizedTest
  @CsvSource({
    "0.0.0.0:10256, 0.0.0.0:10256",
    "[::]:10249, [::]:10249",
    "127.0.0.1:0, 127.0.0.1:0",
    ":80, 0.0.0.0:80",
    "[fd00:0::1]:80, [fd00::1]:80",
  })
  void anAddressHasAPort(String text, String shown) {
    assertThat(BindAddress.parse(text)).hasToString(shown);
    assertThat(BindAddress.parse(text).oneFamily()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.0.0.1", "localhost:80", "10.0.0.1:-1", "10.0.0.1:65536", "::1"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> BindAddress.parse(text))
        .hasMessageStartingWith("'" + text + "' is not an address with a port");
  }
}
