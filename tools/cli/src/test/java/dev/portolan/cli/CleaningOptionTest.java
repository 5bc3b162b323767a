package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import dev.portolan.config.flags.FlagValues;
import dev.portolan.config.gates.Platform;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --conntrack-clean-tcp} of the daemon and of {@code run}. */
final class CleaningOptionTest {
  @ParameterizedTest
  @CsvSource({
    "--conntrack-clean-tcp, all",
    "--conntrack-clean-tcp=true, all",
    "--conntrack-clean-tcp=all, all",
    "--conntrack-clean-tcp=unreplied, unreplied",
    "--conntrack-clean-tcp=false, never",
    "--conntrack-clean-tcp=never, never",
    "--v=0, never"
  })
  void theDaemonReadsWordsAndTruths(String flag, String expected) {
    FlagValues flags = FlagValues.parse(List.of(flag), Platform.LINUX);
    assertThat(flags.text("conntrack-clean-tcp")).isEqualTo(expected);
  }

  @Test
  void anythingElseIsAMistake() {
    Result daemon = Shell.run("kube-proxy", "--conntrack-clean-tcp=sometimes");
    assertThat(daemon.status()).isEqualTo(1);
    assertThat(daemon.err()).contains("flag: expected never, unreplied or all");
    Result run = Shell.shop("worker-1", "run", "--once", "--conntrack-clean-tcp=sometimes");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "portolan: --conntrack-clean-tcp: 'sometimes' is not allowed; write never, unreplied"
                + " or all\n");
  }
}
