package dev.portolan.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations as Go reads and writes them. */
class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0s",
    "0s, 0, 0s",
    "1ns, 1, 1ns",
    "1100ns, 1100, 1.1µs",
    "2.2ms, 2200000, 2.2ms",
    "3300ms, 3300000000, 3.3s",
    "1m30s, 90000000000, 1m30s",
    "1h15m30.918s, 4530918000000, 1h15m30.918s",
    "15m, 900000000000, 15m0s",
    "-.5s, -500000000, -500ms",
    "+5.s, 5000000000, 5s",
    "0.1000000000000000000000001h, 360000000000, 6m0s",
    "0.3333333333333333333h, 1199999999999, 19m59.999999999s",
    "9223372036854775807ns, 9223372036854775807, 2562047h47m16.854775807s"
  })
  void it_is_read_and_written_as_Go_does(String text, long nanos, String written) {
    Duration duration = Duration.ofNanos(nanos);
    assertThat(GoDuration.parse(text)).contains(duration);
    assertThat(GoDuration.format(duration)).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "3", ".", "s", ".s", "1..5s", "1s5", "1d", "9223372036854775808ns"})
  void what_is_none_is_not_read(String text) {
    assertThat(GoDuration.parse(text)).isEmpty();
  }

  @Test
  void a_text_without_end_is_not_read() {
    assertThat(GoDuration.parse("1".repeat(1_000) + "ns")).isEmpty();
  }
}
