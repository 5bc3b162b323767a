package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.error.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code /proc/self/limits} may say, which a session cannot choose. */
final class DescriptorLimitTest {
  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max processes             10                   10                   processes
      Max open files            %-20s 524288               files
      Max locked memory         8388608              8388608              bytes
      """;

  @ParameterizedTest
  @CsvSource({"159, true", "1, true", "160, false", "1048576, false", "unlimited, false"})
  void whatIsTooLittleIsSaid(String limit, boolean said) {
    assertThat(DescriptorLimit.shortage(LIMITS.formatted(limit)).isPresent()).isEqualTo(said);
  }

  @Test
  void theSentenceHasTheLimitTheNeedAndTheRemedy() {
    assertThat(DescriptorLimit.shortage(LIMITS.formatted("100")))
        .contains(
            ErrorCode.DESCRIPTORS.mark(
                "only 100 files can be open at once, but at least 160 are needed, and one more for"
                    + " each connection to this process; raise the limit, as with 'ulimit -n 1024'"
                    + " or LimitNOFILE= of systemd"));
  }
}
