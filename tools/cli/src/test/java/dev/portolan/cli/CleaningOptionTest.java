package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.flags.FlagValues;
import dev.portolan.config.gates.Platform;
import java.util.List;
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
}
