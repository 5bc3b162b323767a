package dev.portolan.api.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTest {
  @Test
  void eachKindIsReadAndWrittenTheSame() {
    for (String text :
        new String[] {
          "unix:///run/portolan/brain.sock",
          "tcp://127.0.0.1:12090",
          "tcp://[fd00::1]:12090",
          "tcp://brain.example:1",
          "tcp://:12090",
          "inprocess:brain"
        }) {
      assertThat(Address.parse(text)).hasToString(text);
    }
  }

  @Test
  void theShortFormsMeanTheSame() {
    assertThat(Address.parse("unix:/run/x.sock"))
        .isEqualTo(new Address.Unix(Path.of("/run/x.sock")));
    assertThat(Address.parse("127.0.0.1:80")).isEqualTo(new Address.Tcp("127.0.0.1", 80));
    assertThat(Address.parse("[::1]:80")).isEqualTo(new Address.Tcp("::1", 80));
  }

  @ParameterizedTest
  @CsvSource({
    "unix:x.sock, 'the path of a unix socket must be absolute, as in unix:///run/x.sock'",
    "unix:///run/, 'the path of a unix socket must be absolute, as in unix:///run/x.sock'",
    "unix:, 'the path of a unix socket must be absolute, as in unix:///run/x.sock'",
    "inprocess:, 'a name must follow, as in inprocess:brain'",
    "localhost, 'write unix:///path, tcp://host:port or host:port'",
    "http://localhost:80, 'write unix:///path, tcp://host:port or host:port'",
    "fd00::1:80, 'write unix:///path, tcp://host:port or host:port'",
    "tcp://a:99999, 'a port must be at most 65535'"
  })
  void whatIsNoAddressIsSaidToBeNone(String text, String remedy) {
    assertThatThrownBy(() -> Address.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a valid address: " + remedy);
  }
}
