package dev.portolan.backend.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a failing program is left alone. */
final class BackoffTest {
  private final Backoff backoff = new Backoff();

  @Test
  void pausesDoubleUpToALimit() {
    assertThat(backoff.remaining(0)).isZero();
    backoff.failed(Duration.ZERO, 0);
    assertThat(backoff.remaining(0)).hasMillis(100);
    backoff.failed(Duration.ZERO, 0);
    assertThat(backoff.remaining(0)).hasMillis(200);
    for (int i = 0; i < 20; i++) {
      backoff.failed(Duration.ZERO, 0);
    }
    assertThat(backoff.remaining(0)).hasSeconds(30);
  }

  @Test
  void whoWaitedAlreadyWaitsForTheRest() {
    backoff.failed(Duration.ZERO, 5_000_000);
    assertThat(backoff.remaining(65_000_000)).hasMillis(40);
    assertThat(backoff.remaining(305_000_000)).isZero();
  }

  @Test
  void aLongRunForgivesWhatWasBefore() {
    backoff.failed(Duration.ZERO, 0);
    backoff.failed(Duration.ZERO, 0);
    backoff.failed(Duration.ofSeconds(10), 0);
    assertThat(backoff.remaining(0)).hasMillis(100);
  }
}
