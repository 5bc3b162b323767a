package dev.portolan.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.server.Limits;
import dev.portolan.server.ListenAddress;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Who may reach a brain, as its options say. */
final class ListenOptionsTest {
  private static final Optional<TlsFiles> TLS =
      Optional.of(new TlsFiles(Path.of("key"), Path.of("crt"), Path.of("ca")));

  private static ListenOptions options(String... words) {
    ListenOptions options = new ListenOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("listen", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs(words);
    return options;
  }

  private static List<String> addresses(List<ListenAddress> listeners) {
    return listeners.stream()
        .map(one -> one.address() + (one.tls().isPresent() ? " with certificates" : ""))
        .toList();
  }

  @Test
  void onlyPortsHaveCertificates() {
    assertThat(addresses(options().listeners(TLS)))
        .containsExactly("unix:///run/portolan/api.sock");
    assertThat(
            addresses(
                options("--listen=unix:///a", "--listen=tcp://0.0.0.0:1", "--listen=unix:///a")
                    .listeners(TLS)))
        .containsExactly("unix:///a", "tcp://0.0.0.0:1 with certificates");
  }

  @ParameterizedTest
  @CsvSource({
    "tcp://127.0.0.1:1, true",
    "tcp://[::1]:1, true",
    "tcp://0.0.0.0:1, false",
    "tcp://192.0.2.1:1, false"
  })
  void withoutCertificatesThereIsThisMachineAlone(String address, boolean good) {
    String listen = "--listen=" + address;
    assertThatThrownBy(() -> options(listen).listeners(Optional.empty()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("for tests on this machine use --insecure-loopback");
    ListenOptions insecure = options(listen, "--insecure-loopback");
    if (good) {
      assertThat(addresses(insecure.listeners(Optional.empty()))).containsExactly(address);
    } else {
      assertThatThrownBy(() -> insecure.listeners(Optional.empty()))
          .hasMessageContaining("--insecure-loopback is for 127.0.0.1 and [::1]");
    }
  }

  @Test
  void whoeverNamesAdministratorsAsksForCertificates() {
    List<ListenAddress> socket = options().listeners(TLS);
    assertThatThrownBy(() -> options("--administrator=me").access(socket))
        .hasMessage("--administrator needs --certificate-nodes; add it");
    ListenOptions options = options("--administrator=me", "--certificate-nodes");
    assertThatThrownBy(() -> options.access(socket))
        .hasMessageStartingWith("--certificate-nodes needs a tcp:// listener with certificates");
    List<ListenAddress> port = options("--listen=tcp://0.0.0.0:1").listeners(TLS);
    assertThat(options.access(port).administrators()).containsExactly("me");
  }

  @Test
  void limitsAreNumbersFromOneOn() {
    Limits limits = options("--max-clients=7", "--slow-client-timeout=9").limits();
    assertThat(limits.connections()).isEqualTo(7);
    assertThat(limits.stalled()).isEqualTo(Duration.ofSeconds(9));
    assertThatThrownBy(() -> options("--max-nodes=0").limits())
        .hasMessageContaining("--max-nodes: '0' is not a number from 1 on");
    assertThatThrownBy(
            () -> options("--allow-uid=0,root").access(options().listeners(Optional.empty())))
        .hasMessageContaining("--allow-uid: 'root' is not a number from 0 on");
  }
}
