package dev.portolan.config.flags;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.gates.Platform;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words and truths of {@code --conntrack-clean-tcp}. */
final class CleaningFlagTest {
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
