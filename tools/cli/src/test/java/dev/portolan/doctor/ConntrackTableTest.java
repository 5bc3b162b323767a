package dev.portolan.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When a table of connections is too full. */
final class ConntrackTableTest {
  private static CheckResult check(long count, long max, long dropped) {
    return new ConntrackTable(OptionalLong.of(count), OptionalLong.of(max), dropped)
        .check()
        .getFirst();
  }

  @Test
  void fullnessIsJudged() {
    assertThat(check(100, 262144, 0).status()).isEqualTo(CheckStatus.OK);
    assertThat(check(200_000, 262_144, 0).status()).isEqualTo(CheckStatus.WARN);
    assertThat(check(262_144, 262_144, 0).status()).isEqualTo(CheckStatus.FAIL);
    assertThat(check(262_144, 262_144, 0).remedy()).contains("nf_conntrack_max=524288");
    assertThat(check(1, 262_144, 17).finding()).contains("17 packets were dropped");
    assertThat(
            new ConntrackTable(OptionalLong.empty(), OptionalLong.empty(), 0)
                .check()
                .getFirst()
                .status())
        .isEqualTo(CheckStatus.WARN);
  }

  @Test
  void dropsOfAllProcessorsAreAddedUp() {
    assertThat(
            ConntrackTable.dropped(
                List.of(
                    "entries  clashres found drop early_drop",
                    "00000000  00000000 00000000 0000000a 00000000",
                    "00000000  00000000 00000000 00000010 00000001")))
        .isEqualTo(26);
    assertThat(ConntrackTable.dropped(List.of())).isZero();
  }

  @Test
  void theKernelsOwnNumbersAreRead() {
    ConntrackTable here = ConntrackTable.read(new KernelFiles(Optional.empty()));
    assertThat(here.count().isPresent()).isEqualTo(here.max().isPresent());
  }
}
